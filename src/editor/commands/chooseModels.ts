import * as vscode from 'vscode';
import { messageOf } from '../../host/errors/hostError.ts';
import type { LanguageModel, LanguageModels } from '../../host/sampling/request/languageModels.ts';
import { modelsMatching } from '../../host/sampling/request/modelChoice.ts';
import type { SamplingSettings } from '../../host/sampling/samplingSettings.ts';
import { inNotification, inQuickInput } from '../plainText.ts';
import { chosenPatterns } from './modelPatterns.ts';
import { showUntilAnswered } from './quickInputs.ts';

const SETTING = 'mcpHost.sampling.models';

const openSetting: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon('gear'),
  tooltip: 'Open the Setting with Their Order',
};

interface ModelItem extends vscode.QuickPickItem {
  readonly model: LanguageModel;
}

/** `mcpHost.chooseModels`: which models of the editor servers may use at all; written to the user's settings. */
export async function chooseModels(models: LanguageModels, settings: SamplingSettings): Promise<void> {
  const there = await models.available();
  if (there.length === 0) {
    void vscode.window.showInformationMessage(
      models.isSupported
        ? 'No language model is available in this editor yet. Sign in to a provider of models in the chat of this editor, or install an extension that brings models.'
        : 'This editor has no language models for extensions, so servers cannot use any.',
    );
    return;
  }
  const answer = await pick(there, settings.models);
  if (answer === undefined) {
    return;
  }
  if (answer === 'setting') {
    await vscode.commands.executeCommand('workbench.action.openSettings', SETTING);
    return;
  }
  const patterns = chosenPatterns(settings.models, there, answer);
  if (JSON.stringify(patterns) === JSON.stringify(settings.models)) {
    return;
  }
  try {
    await vscode.workspace.getConfiguration().update(SETTING, patterns, vscode.ConfigurationTarget.Global);
  } catch (error) {
    void vscode.window.showErrorMessage(
      inNotification(`Your choice of language models could not be kept: ${messageOf(error)}`),
    );
  }
}

/** The models that are ticked in the end. */
function pick(
  models: readonly LanguageModel[],
  patterns: readonly string[],
): Promise<readonly LanguageModel[] | 'setting' | undefined> {
  const allowed = modelsMatching(models, patterns);
  const others = models.filter((model) => !allowed.includes(model));
  const items = [...allowed, ...others].map(itemOf);
  const input = vscode.window.createQuickPick<ModelItem>();
  input.title = 'Language Models That Servers May Use';
  input.placeholder = 'Tick what servers may use. The gear has their order.';
  input.canSelectMany = true;
  input.matchOnDescription = true;
  input.buttons = [openSetting];
  input.items = items;
  input.selectedItems = items.filter(({ model }) => allowed.includes(model));
  return showUntilAnswered<readonly LanguageModel[] | 'setting'>(input, (store, { resolve }) => {
    store.add(input.onDidTriggerButton(() => resolve('setting')));
    store.add(
      input.onDidAccept(() => {
        const ticked = input.selectedItems.map(({ model }) => model);
        if (ticked.length > 0) {
          resolve(models.filter((model) => ticked.includes(model)));
        } else {
          // An empty setting means all of them: what was meant is another setting.
          input.placeholder = 'Tick at least one. "Set Model Access…" keeps a server from all.';
        }
      }),
    );
  });
}

function itemOf(model: LanguageModel): ModelItem {
  const { name, vendor, id, maxInputTokens } = model;
  return {
    label: inQuickInput(name, 80),
    description: inQuickInput(`${vendor}/${id} · takes ${maxInputTokens.toLocaleString('en')} tokens`, 160),
    model,
  };
}
