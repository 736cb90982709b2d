import { appendFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { format } from 'node:util';
import Mocha from 'mocha';
import * as vscode from 'vscode';
import { loads } from '../editor/loads.ts';
import { Report } from '../editor/report.ts';
import { confirmCalls } from './support.ts';

const foldersWithinMs = 10_000;

/** Runs every `*.test.ts` of this folder inside the extension host; the runner bundles them with this file. */
export async function run(): Promise<void> {
  const print = printer(process.env['HOST_TEST_OUTPUT']);
  Mocha.reporters.Base.consoleLog = print;
  loads.count = 1; // the window of this extension host
  try {
    await folders();
    await confirmCalls('never');
    const failures = await runMocha(process.env['MOCHA_GREP']);
    if (failures > 0) {
      throw new Error(`${failures} of the tests in the extension host failed`);
    }
  } catch (error) {
    print(error);
    throw error;
  }
}

async function runMocha(grep: string | undefined): Promise<number> {
  const mocha = new Mocha({
    ui: 'tdd',
    color: false,
    timeout: 120_000,
    reporter: Report,
    ...(grep === undefined ? {} : { grep }),
  });
  mocha.suite.emit(Mocha.Suite.constants.EVENT_FILE_PRE_REQUIRE, globalThis, '', mocha);
  // @ts-expect-error: the bundle makes this module
  await import('virtual:host-tests');
  return new Promise((resolve) => mocha.run(resolve));
}

/** The console of the extension host reaches the window only, and cannot be replaced: what is printed goes to a file. */
function printer(file: string | undefined): (...parts: unknown[]) => void {
  return file === undefined
    ? (...parts) => console.log(...parts)
    : (...parts) => appendFileSync(file, `${format(...parts)}\n`);
}

/** The folders of a `.code-workspace` file may arrive late. */
async function folders(): Promise<void> {
  const isWaiting = () =>
    vscode.workspace.workspaceFile !== undefined && (vscode.workspace.workspaceFolders?.length ?? 0) === 0;
  for (const started = Date.now(); isWaiting() && Date.now() - started < foldersWithinMs;) {
    await delay(50);
  }
}
