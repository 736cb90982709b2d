import { appendFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { format } from 'node:util';
import Mocha from 'mocha';
import * as vscode from 'vscode';
import { CountedSpec } from '../editor/countedSpec.ts';

const foldersWithinMs = 10_000;

/** Runs every `*.test.ts` of this folder inside the extension host; the runner bundles them with this file. */
export async function run(): Promise<void> {
  printToFile(process.env['HOST_TEST_OUTPUT']);
  await folders();
  const grep = process.env['MOCHA_GREP'];
  const mocha = new Mocha({
    ui: 'tdd',
    color: false,
    timeout: 30_000,
    reporter: CountedSpec,
    ...(grep === undefined ? {} : { grep }),
  });
  mocha.suite.emit(Mocha.Suite.constants.EVENT_FILE_PRE_REQUIRE, globalThis, '', mocha);
  // @ts-expect-error: the bundle makes this module
  await import('virtual:host-tests');
  const failures = await new Promise<number>((resolve) => mocha.run(resolve));
  if (failures > 0) {
    throw new Error(`${failures} of the tests in the extension host failed`);
  }
}

/** The console of the extension host reaches the window only, and cannot be replaced: mocha prints to a file. */
function printToFile(file: string | undefined): void {
  if (file !== undefined) {
    const print = (...parts: unknown[]) => appendFileSync(file, `${format(...parts)}\n`);
    Mocha.reporters.Base.consoleLog = print;
  }
}

/** The folders of a `.code-workspace` file may arrive late. */
async function folders(): Promise<void> {
  const isWaiting = () =>
    vscode.workspace.workspaceFile !== undefined && (vscode.workspace.workspaceFolders?.length ?? 0) === 0;
  for (const started = Date.now(); isWaiting() && Date.now() - started < foldersWithinMs;) {
    await delay(50);
  }
}
