import * as vscode from 'vscode';
import type { Disposable } from '../../base/lifetime/disposable.ts';
import { Emitter } from '../../base/lifetime/event.ts';
import {
  readRules,
  ruleSettings,
  type ReportedSetting,
  type RulesSource,
  type RuleSetting,
} from '../../host/config/serverRules.ts';

/** The rules for servers in the editor's own settings, as they are now. */
export class EditorRules implements RulesSource, Disposable {
  readonly #onDidChange = new Emitter<void>();
  readonly onDidChange = this.#onDidChange.event;
  readonly #listening: Disposable;
  #now = readRules(reported);

  constructor() {
    this.#listening = vscode.workspace.onDidChangeConfiguration((event) => {
      if (Object.keys(ruleSettings).some((setting) => event.affectsConfiguration(setting))) {
        this.#now = readRules(reported);
        this.#onDidChange.fire();
      }
    });
  }

  get now(): RulesSource['now'] {
    return this.#now;
  }

  dispose(): void {
    this.#listening.dispose();
    this.#onDidChange.dispose();
  }
}

/** The editor also reports settings that are written in a file, but that it doesn't know. */
function reported(setting: RuleSetting): ReportedSetting | undefined {
  const [major = 1, minor = 0] = vscode.version.split('.').map(Number);
  const configuration = vscode.workspace.getConfiguration();
  const found = configuration.inspect<unknown>(setting);
  return major === 1 && minor < ruleSettings[setting].since
    ? undefined
    : {
        value: configuration.get(setting),
        layers: [found?.globalValue, found?.workspaceValue, found?.workspaceFolderValue],
      };
}
