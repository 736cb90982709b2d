// Stands for the native module `@vscode/spdlog` in the test editor, which writes its log files and output channels
// with it. It writes at once, in the order in which it is called, and leaves out what is turned off; a log that goes
// with the editor's temporary folder need not be rotated.
'use strict';

const { closeSync, mkdirSync, openSync, writeSync } = require('node:fs');
const path = require('node:path');

const names = ['trace', 'debug', 'info', 'warning', 'error', 'critical'];
const info = 2;

class Logger {
  /** @type {number | undefined} */
  #file;
  #level = info;
  #isFormatted = true;

  /**
   * @param {unknown} _type
   * @param {unknown} _name
   * @param {string} file
   */
  constructor(_type, _name, file) {
    this.#file = openSync(file, 'a');
  }

  getLevel() {
    return this.#level;
  }

  /** @param {number} level */
  setLevel(level) {
    this.#level = level;
  }

  /** The editor knows one pattern: `%Y-%m-%d %H:%M:%S.%e [%l] %v`. */
  setPattern() {
    this.#isFormatted = true;
  }

  clearFormatters() {
    this.#isFormatted = false;
  }

  /** @param {string} message */
  trace(message) {
    this.#write(0, message);
  }

  /** @param {string} message */
  debug(message) {
    this.#write(1, message);
  }

  /** @param {string} message */
  info(message) {
    this.#write(info, message);
  }

  /** @param {string} message */
  warn(message) {
    this.#write(3, message);
  }

  /** @param {string} message */
  error(message) {
    this.#write(4, message);
  }

  /** @param {string} message */
  critical(message) {
    this.#write(5, message);
  }

  flush() {}

  drop() {
    if (this.#file !== undefined) {
      closeSync(this.#file);
      this.#file = undefined;
    }
  }

  /**
   * @param {number} level
   * @param {string} message
   */
  #write(level, message) {
    if (this.#file !== undefined && level >= this.#level) {
      writeSync(this.#file, this.#isFormatted ? `${now()} [${names[level]}] ${message}\n` : message);
    }
  }
}

/** The local time. */
function now() {
  const time = new Date();
  const local = new Date(time.getTime() - time.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, -1).replace('T', ' ');
}

/**
 * @param {string} name
 * @param {string} file
 */
async function createLogger(name, file) {
  mkdirSync(path.dirname(file), { recursive: true });
  return new Logger('', name, file);
}

// Each by its name, so that `import` finds it.
exports.version = 0;
exports.Logger = Logger;
exports.createRotatingLogger = createLogger;
exports.createAsyncRotatingLogger = createLogger;
exports.setLevel = () => {};
exports.setFlushOn = () => {};
