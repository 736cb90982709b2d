import * as vscode from 'vscode';
import type { LanguageModel, LanguageModels } from '../../host/sampling/request/languageModels.ts';
import { chosenPatterns, modelsMatching } from '../../host/sampling/request/modelChoice.ts';
import type { SamplingSettings } from '../../host/sampling/samplingSettings.ts';
import { inQuickInput } from '../messages/plainText.ts';
import { reportingError } from '../messages/notifications.ts';
import { inputButton, showUntilAnswered } from '../quickInput/quickInputs.ts';

const SETTING = 'mcpHost.sampling.models';

const openSetting = inputButton('gear', 'Open the Setting, to Change the Order');

interface ModelItem extends vscode.QuickPickItem {
  readonly model: LanguageModel;
}

/** "Choose Language Models": the editor's models that servers may use, written to the user settings. */
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
  await reportingError('Your choice of language models could not be kept', async () => {
    await vscode.workspace.getConfiguration().update(SETTING, patterns, vscode.ConfigurationTarget.Global);
  });
}

/** The models that you check. */
function pick(
  models: readonly LanguageModel[],
  patterns: readonly string[],
): Promise<readonly LanguageModel[] | 'setting' | undefined> {
  const allowed = modelsMatching(models, patterns);
  const others = models.filter((model) => !allowed.includes(model));
  const items = [...allowed, ...others].map(itemOf);
  const input = vscode.window.createQuickPick<ModelItem>();
  input.title = 'Language Models That Servers May Use';
  input.placeholder = 'Check the models that servers may use. Select the gear to change their order.';
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
          // An empty setting means all models, which was not meant.
          input.placeholder = 'Check at least one. Use "Set Model Access…" to refuse all models to a server.';
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
