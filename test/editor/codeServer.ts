import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { given, givenParameters } from './givenOptions.ts';
import { builtInExtensions, codeServerEntry, node24, root, vsix as ownVsix } from './paths.mjs';
import { preparedExtension } from './prepared.ts';
import { wheelSensitivity } from './treeView.ts';
import { ProcessGroup } from './processGroup.ts';
import { TemporaryFolder } from './temporaryFolder.ts';

const startMs = 300_000;
const readyExtension = join(root, 'test/editor/fixtures/ready');
const nobodyListens = '{"serviceUrl":"http://127.0.0.1:9/none"}';

/** How VS Code's server is started. */
export interface CodeServerOptions {
  /** A test gets a quiet editor with the `ready` signal; a person gets VS Code as it is. */
  readonly audience?: 'test' | 'person';
  /** The user's settings, over those for the audience. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** More files of the user's folder, by name; the values are written as JSON. */
  readonly userFiles?: Readonly<Record<string, unknown>>;
  /** Packaged extensions to install. */
  readonly vsix?: readonly string[];
  /** Folders of unpacked extensions to install. */
  readonly unpacked?: readonly string[];
  /** Built-in extensions that a test needs of those that tests do without. */
  readonly builtIn?: readonly string[];
  /** Whether workspaces must be trusted before their content is; off unless asked for. */
  readonly trust?: boolean;
  /** Added to the environment of the server and its extension host. */
  readonly env?: Readonly<Record<string, string>>;
  /** More parameters for the command line, of those that tests may give. */
  readonly parameters?: readonly string[];
  /** Listens on a socket inside `folder`, which only this user can enter, and on no port. */
  readonly onSocket?: boolean;
}

/** What each of these is for: givenOptions.ts. */
const offlineSettings = {
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'remote.autoForwardPorts': false,
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'workbench.enableExperiments': false,
};

const personSettings = {
  ...offlineSettings,
  'security.workspace.trust.startupPrompt': 'always',
};

const testSettings = {
  ...offlineSettings,
  'security.workspace.trust.startupPrompt': 'always',
  'workbench.reduceMotion': 'on',
  'workbench.list.mouseWheelScrollSensitivity': wheelSensitivity,
  'workbench.tree.enableStickyScroll': false,
  'workbench.startupEditor': 'none',
};

/**
 * Built-in extensions that no window of a test has unless it asks for them: those that start in each window and take its
 * time, and languages and themes that no test uses, which each window and each extension host reads. Copilot Chat also
 * starts where a chat was switched off and on, and answers in place of the scripted model.
 */
const leftOut = new Set(
  (
    'copilot debug-auto-launch debug-server-ready emmet extension-editing git git-base github grunt gulp jake ' +
    'merge-conflict ms-vscode.js-debug ms-vscode.js-debug-companion ms-vscode.vscode-js-profile-table npm ' +
    'php-language-features terminal-suggest tunnel-forwarding typescript-language-features ' +
    'bat clojure coffeescript cpp csharp css-language-features dart docker dotenv fsharp go groovy handlebars hlsl ' +
    'html-language-features ipynb java julia latex less lua make markdown-math mermaid-markdown-features ' +
    'notebook-renderers objective-c perl php powershell pug r razor references-view restructuredtext ruby rust scss ' +
    'shaderlab sql swift vb theme-abyss theme-kimbie-dark theme-monokai theme-monokai-dimmed theme-quietlight ' +
    'theme-red theme-solarized-dark theme-solarized-light theme-tomorrow-night-blue'
  ).split(' '),
);

/** The servers that run in this process. */
export const openServers: Set<CodeServer> = new Set();

/** A running VS Code server with a user's folder and extensions of its own. */
export class CodeServer {
  readonly #group: ProcessGroup;
  readonly #home: Home;
  /** Where it listens: an address, or the path of a socket. */
  readonly place: string;

  private constructor(group: ProcessGroup, home: Home, place: string) {
    this.#group = group;
    this.#home = home;
    this.place = place;
  }

  /** Installs the extensions, starts the server and waits until it answers. */
  static async start(options: CodeServerOptions = {}): Promise<CodeServer> {
    const home = new Home(options, settingsFor(options));
    try {
      for (const file of options.vsix ?? []) {
        home.install(file);
      }
      return await CodeServer.#startIn(home, options);
    } catch (error) {
      home.folder.remove();
      throw error;
    }
  }

  static async #startIn(home: Home, options: CodeServerOptions): Promise<CodeServer> {
    const parameters = [
      codeServerEntry,
      ...home.parameters,
      ...(options.onSocket ? ['--socket', home.socket] : ['--bind-addr', '127.0.0.1:0']),
      ...givenParameters([
        '--auth=none',
        '--disable-telemetry',
        '--disable-update-check',
        '--disable-getting-started-override',
        ...(options.trust ? [] : ['--disable-workspace-trust']),
        ...(options.parameters ?? []),
      ]),
    ];
    const group = new ProcessGroup(node24, parameters, home.env, home.log);
    try {
      const place = await within(startMs, async () => {
        if (group.hasEnded) {
          throw new Error('it has ended');
        }
        const listening = options.onSocket ? home.socket : home.printedAddress();
        return listening !== undefined && (await isHealthy(listening)) ? listening : undefined;
      });
      const server = new CodeServer(group, home, place);
      openServers.add(server);
      return server;
    } catch (error) {
      await group.end();
      throw new Error(`VS Code's server did not start. It printed:\n${home.printed()}`, { cause: error });
    }
  }

  /** The server's own folder; `User` below `data` holds the user's settings. */
  get folder(): string {
    return this.#home.folder.path;
  }

  /** Where the editor and the extension write their logs. */
  get logs(): string {
    return this.#home.folder.join('data/logs');
  }

  /** Where an installed extension stands, by the end of its id. */
  extensionFolder(name: string): string {
    return this.#home.extensionFolder(name);
  }

  /** What the server has printed so far. */
  get log(): string {
    return this.#home.printed();
  }

  /** The URI by which a window of this server names a file. */
  remoteUri(path: string): string {
    return `vscode-remote://${new URL(this.place).host}${path}`;
  }

  /** Ends the server with all its processes and removes its folder. */
  async stop(): Promise<void> {
    openServers.delete(this);
    await this.#group.end();
    this.#home.folder.remove();
  }
}

/** The files of one server: the user's folder, extensions, log, socket. */
class Home {
  readonly folder = new TemporaryFolder('editor');
  readonly log = this.folder.join('server.log');
  readonly socket = this.folder.join('socket');
  readonly env: NodeJS.ProcessEnv;
  readonly parameters: readonly string[];
  readonly #extensions = this.folder.join('extensions');
  readonly #builtIn = this.folder.join('built-in');

  constructor(options: CodeServerOptions, settings: Readonly<Record<string, unknown>>) {
    const isForPerson = options.audience === 'person';
    const own = {
      EXTENSIONS_GALLERY: nobodyListens,
      ...(isForPerson ? {} : { NODE_COMPILE_CACHE: join(root, 'out/compiled') }), // each extension host starts cheaper
      ...this.#temporaryPlaces(isForPerson),
    };
    this.env = { ...cleanEnvironment(), ...own, ...options.env };
    const data = this.folder.join('data');
    const config = this.folder.join('config.yaml');
    const places = ['--config', config, '--user-data-dir', data, '--extensions-dir', this.#extensions];
    this.parameters = isForPerson
      ? places
      : [...places, '--vscode-option', `builtin-extensions-dir=${this.#builtIn}`];
    mkdirSync(join(data, 'User'), { recursive: true });
    mkdirSync(this.#extensions);
    writeFileSync(config, '');
    writeFileSync(this.log, '');
    const files = { 'settings.json': settings, ...options.userFiles };
    for (const [name, content] of Object.entries(files)) {
      writeFileSync(join(data, 'User', name), JSON.stringify(content, undefined, 2));
    }
    if (!isForPerson) {
      this.#chooseBuiltIn(options.builtIn ?? []);
    }
    for (const extension of [...(isForPerson ? [] : [readyExtension]), ...(options.unpacked ?? [])]) {
      this.#unpack(extension);
    }
  }

  #chooseBuiltIn(wanted: readonly string[]): void {
    mkdirSync(this.#builtIn);
    for (const name of readdirSync(builtInExtensions)) {
      if (!leftOut.has(name) || wanted.includes(name)) {
        symlinkSync(join(builtInExtensions, name), join(this.#builtIn, name));
      }
    }
  }

  /** Installs a packaged extension. */
  install(vsix: string): void {
    const extension = vsix === ownVsix ? preparedExtension() : undefined;
    if (extension !== undefined) {
      this.#unpack(extension);
      return;
    }
    const parameters = [codeServerEntry, ...this.parameters, '--install-extension', vsix, '--force'];
    const { status, stdout, stderr } = spawnSync(node24, parameters, { env: this.env, encoding: 'utf8' });
    if (status !== 0) {
      throw new Error(`${vsix} could not be installed.\n${stdout}${stderr}`);
    }
  }

  extensionFolder(name: string): string {
    const [found] = globSync(`*.${name}-*`, { cwd: this.#extensions });
    if (found === undefined) {
      throw new Error(`The extension '${name}' is not installed.`);
    }
    return join(this.#extensions, found);
  }

  printed(): string {
    return readFileSync(this.log, 'utf8');
  }

  /** The address that the server printed when it began to listen. */
  printedAddress(): string | undefined {
    return /HTTP server listening on (http:\/\/[\d.:]+)/.exec(this.printed())?.[1];
  }

  /**
   * The editor leaves sockets and other files behind. They go with this folder, but where the path of a socket would
   * be too long; tests share what Node has compiled.
   */
  #temporaryPlaces(isForPerson: boolean): NodeJS.ProcessEnv {
    if (process.platform !== 'linux') {
      return {};
    }
    const folder = this.folder.join('tmp');
    mkdirSync(folder, { mode: 0o700 });
    return { XDG_RUNTIME_DIR: folder, ...(isForPerson ? { TMPDIR: folder } : {}) };
  }

  /** The server adopts the extensions that are there at its first start. */
  #unpack(extension: string): void {
    const manifest: unknown = JSON.parse(readFileSync(join(extension, 'package.json'), 'utf8'));
    const { publisher, name, version } = manifest as Record<'publisher' | 'name' | 'version', string>;
    cpSync(extension, join(this.#extensions, `${publisher}.${name}-${version}`), { recursive: true });
  }
}

function settingsFor({ audience, settings }: CodeServerOptions): Readonly<Record<string, unknown>> {
  return given('settings', { ...(audience === 'person' ? personSettings : testSettings), ...settings });
}

/** The environment without what another editor, npm or another code-server put there. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const foreign = /^(npm_|VSCODE_|ELECTRON_|CODE_SERVER_|CS_)|^(PORT|PASSWORD|HASHED_PASSWORD)$/i;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name)));
}

async function isHealthy(place: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const target = place.startsWith('http')
    ? { host: new URL(place).hostname, port: new URL(place).port }
    : { socketPath: place };
  get({ ...target, path: '/healthz' }, (response) => {
    response.resume();
    resolve(response.statusCode === 200);
  }).on('error', () => resolve(false));
  return promise;
}

/** Asks until there is an answer, for at most so many milliseconds. */
async function within<T>(ms: number, ask: () => Promise<T | undefined>): Promise<T> {
  for (const started = Date.now(); Date.now() - started < ms;) {
    const answer = await ask();
    if (answer !== undefined) {
      return answer;
    }
    await delay(50);
  }
  throw new Error(`no answer within ${ms} ms`);
}
