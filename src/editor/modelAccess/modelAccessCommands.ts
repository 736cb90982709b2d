import * as vscode from 'vscode';
import type { Disposable } from '../../base/lifetime/disposable.ts';
import type { ServerDefinition } from '../../host/config/serverDefinition.ts';
import type { HostServer, McpHost } from '../../host/servers/mcpHost.ts';
import { accessSummary, occasionText, policyText } from '../../host/sampling/accessText.ts';
import type { LanguageModels } from '../../host/sampling/request/languageModels.ts';
import type { ModelAccess } from '../../host/sampling/accessPolicy.ts';
import type { SamplingPolicy, SamplingSettings } from '../../host/sampling/samplingSettings.ts';
import type { SamplingOccasion } from '../../host/sampling/request/samplingRequest.ts';
import { registerCommands, runCommand } from '../commands/commands.ts';
import { inNotification, oneLine } from '../messages/plainText.ts';
import { reportingError } from '../messages/tellFailure.ts';
import { accessChoices, choiceIn, type AccessChoice } from './accessChoices.ts';
import { chooseModels } from './chooseModels.ts';
import { onServer } from '../commands/onServer.ts';
import { askPick } from '../quickInput/quickInputs.ts';

/** What the commands need of model access. */
interface AccessDecisions {
  accessOf(definition: ServerDefinition): ModelAccess;
  /** `default` forgets the decision. */
  setPolicy(
    definition: ServerDefinition,
    label: string,
    occasion: SamplingOccasion | 'both',
    policy: SamplingPolicy | 'default',
  ): Promise<void>;
  allowForSession(definition: ServerDefinition, occasions: readonly SamplingOccasion[]): void;
}

export interface ModelAccessDependencies {
  readonly host: McpHost;
  readonly access: AccessDecisions;
  readonly models: LanguageModels;
  readonly settings: SamplingSettings;
}

const both: readonly SamplingOccasion[] = ['inCall', 'unasked'];

/** Registers what you can decide about language models for servers. */
export function registerModelAccessCommands(dependencies: ModelAccessDependencies): Disposable {
  const { host, access, models, settings } = dependencies;
  return registerCommands({
    setModelAccess: onServer(host, {
      placeholder: 'Select a server to set its model access',
      run: (server) => setModelAccess(server, access),
    }),
    chooseModels: () => chooseModels(models, settings),
  });
}

async function setModelAccess(server: HostServer, access: AccessDecisions): Promise<void> {
  let occasions = both;
  for (;;) {
    const answer = await askChoice(server, access, occasions);
    switch (answer.kind) {
      case 'chosen':
        await apply(server, access, answer.choice.kind, occasions);
        return;
      case 'only':
        occasions = [answer.occasion];
        break;
      case 'back':
        occasions = both;
        break;
      case 'left':
        return;
    }
  }
}

/** What you did with the list of choices; `only` asks for the list of one occasion. */
type Answer =
  | { readonly kind: 'chosen'; readonly choice: AccessChoice }
  | { readonly kind: 'only'; readonly occasion: SamplingOccasion }
  | { readonly kind: 'back' | 'left' };

interface AnswerItem extends vscode.QuickPickItem {
  readonly answer?: Answer;
}

async function askChoice(
  { connection, label }: HostServer,
  access: AccessDecisions,
  occasions: readonly SamplingOccasion[],
): Promise<Answer> {
  const { policies } = access.accessOf(connection.definition);
  const [only] = occasions.length === 1 ? occasions : [];
  const holding = (choice: AccessChoice): readonly SamplingOccasion[] =>
    occasions.filter((occasion) => choiceIn(policies[occasion]) === choice.kind);
  const choices = accessChoices.map((choice): AnswerItem => {
    const holds = holding(choice);
    const when = holds.length === occasions.length ? '' : ` ${holds.map(occasionText).join()}`;
    return {
      label: choice.label,
      detail: choice.detail,
      ...(holds.length > 0 && { description: `$(check) holds now${when}` }),
      answer: { kind: 'chosen', choice },
    };
  });
  const separately: readonly AnswerItem[] = [
    { label: 'Decide Separately', kind: vscode.QuickPickItemKind.Separator },
    {
      label: 'While It Handles a Request of Yours…',
      description: `now: ${policyText(policies.inCall)}`,
      detail: 'While it runs a tool, reads a resource or prepares a prompt.',
      answer: { kind: 'only', occasion: 'inCall' },
    },
    {
      label: 'At Other Times…',
      description: `now: ${policyText(policies.unasked)}`,
      detail: 'While it handles no request of yours.',
      answer: { kind: 'only', occasion: 'unasked' },
    },
  ];
  const picked = await askPick<AnswerItem>(
    {
      title: `Model Access of ${oneLine(label, 60)}${only ? `, ${occasionText(only)}` : ''}`,
      canGoBack: only !== undefined,
    },
    {
      items: only ? choices : [...choices, ...separately],
      picked: choices.filter(
        (_item, index) => accessChoices[index]?.kind === choiceIn(policies[only ?? 'inCall']),
      ),
      placeholder: `Select what happens to ${only ? 'these' : 'all its'} requests for a language model`,
      isMany: false,
    },
  );
  if (picked.kind === 'accepted') {
    return picked.value[0]?.answer ?? { kind: 'left' };
  }
  return { kind: picked.kind === 'back' ? 'back' : 'left' };
}

async function apply(
  { connection, label }: HostServer,
  access: AccessDecisions,
  kind: AccessChoice['kind'],
  occasions: readonly SamplingOccasion[],
): Promise<void> {
  const { definition } = connection;
  const [only] = occasions;
  const isKept = await reportingError(`Your choice for server '${label}' could not be kept`, async () => {
    if (kind === 'thisSession') {
      access.allowForSession(definition, occasions);
    } else {
      const occasion = occasions.length === 1 && only ? only : 'both';
      await access.setPolicy(definition, label, occasion, kind);
    }
  });
  if (isKept) {
    await tellWhatHolds({ connection, label }, access, kind, occasions);
  }
}

/** Shows why the choice does not hold yet, or not at all. */
async function tellWhatHolds(
  { connection, label }: HostServer,
  access: AccessDecisions,
  kind: AccessChoice['kind'],
  occasions: readonly SamplingOccasion[],
): Promise<void> {
  const { definition, state } = connection;
  const now = access.accessOf(definition);
  const isNarrowed =
    kind !== 'default' && occasions.some((occasion) => choiceIn(now.policies[occasion]) !== kind);
  if (isNarrowed && definition.origin.scope !== 'user') {
    const text = `Server '${label}': ${accessSummary(now)}. "sampling" in the workspace's definition doesn't allow more.`;
    void vscode.window.showInformationMessage(inNotification(text));
  } else if (state.kind === 'running' && !now.isOffered && now.hasModel !== false && kind !== 'deny') {
    const restart = 'Restart';
    const text = `Server '${label}' can ask for a language model after a restart.`;
    if ((await vscode.window.showInformationMessage(inNotification(text), restart)) === restart) {
      await runCommand('restartServer', definition.id);
    }
  }
}
