import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { ServerDefinition } from '../../host/config/serverDefinition.ts';
import { messageOf } from '../../host/hostError.ts';
import type { HostServer, McpHost } from '../../host/mcpHost.ts';
import { accessSummary, occasionText, policyText } from '../../host/sampling/accessText.ts';
import type { LanguageModels } from '../../host/sampling/languageModels.ts';
import type { ModelAccess } from '../../host/sampling/modelAccess.ts';
import type {
  SamplingOccasion,
  SamplingPolicy,
  SamplingSettings,
} from '../../host/sampling/samplingSettings.ts';
import { inNotification, oneLine } from '../plainText.ts';
import { accessChoices, choiceIn, type AccessChoice } from './accessChoices.ts';
import { chooseModels } from './chooseModels.ts';
import { registerOn } from './onServer.ts';
import { askPick, type Frame } from './quickInputs.ts';

/** What the commands need of model access. */
export interface AccessDecisions {
  accessOf(definition: ServerDefinition): ModelAccess;
  /** `default` forgets what was decided. */
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

/** What the person decides about language models for servers: from the tree, or from the palette. */
export function registerModelAccessCommands(dependencies: ModelAccessDependencies): Disposable {
  const { host, access, models, settings } = dependencies;
  const store = new DisposableStore();
  store.add(
    registerOn(host, 'mcpHost.setModelAccess', {
      question: "Which server's access to language models?",
      accepts: () => true,
      run: (server) => setModelAccess(server, access),
    }),
  );
  store.add(vscode.commands.registerCommand('mcpHost.chooseModels', () => chooseModels(models, settings)));
  return store;
}

async function setModelAccess(server: HostServer, access: AccessDecisions): Promise<void> {
  for (;;) {
    const choice = await askChoice(server, access);
    if (choice === undefined) {
      return;
    }
    const occasions = await askOccasions(server, access, choice);
    if (occasions === undefined) {
      return;
    }
    if (occasions !== 'back') {
      await apply(server, access, choice, occasions);
      return;
    }
  }
}

function frameOf({ label }: HostServer, step: number): Frame {
  return {
    title: `Model Access of ${oneLine(label, 60)}`,
    step,
    totalSteps: 2,
    canGoBack: step > 1,
    buttons: [],
    problem: undefined,
  };
}

interface ChoiceItem extends vscode.QuickPickItem {
  readonly choice: AccessChoice;
}

async function askChoice(server: HostServer, access: AccessDecisions): Promise<AccessChoice | undefined> {
  const { policies } = access.accessOf(server.connection.definition);
  const items = accessChoices.map((choice): ChoiceItem => {
    const holds = both.filter((occasion) => choiceIn(policies[occasion]) === choice.kind);
    const [only] = holds;
    return {
      label: choice.label,
      detail: choice.detail,
      ...(only && {
        description: `$(check) holds now${holds.length === both.length ? '' : ` ${occasionText(only)}`}`,
      }),
      choice,
    };
  });
  const current = items.filter(({ choice }) => choice.kind === choiceIn(policies.inCall));
  const answer = await askPick(frameOf(server, 1), {
    items,
    picked: current,
    placeholder: 'What becomes of its requests for a language model?',
    isMany: false,
  });
  return answer.kind === 'accepted' ? answer.value[0]?.choice : undefined;
}

interface OccasionItem extends vscode.QuickPickItem {
  readonly occasions: readonly SamplingOccasion[];
}

async function askOccasions(
  server: HostServer,
  access: AccessDecisions,
  { label }: AccessChoice,
): Promise<readonly SamplingOccasion[] | 'back' | undefined> {
  const { policies } = access.accessOf(server.connection.definition);
  const now = (occasion: SamplingOccasion): string => `now: ${policyText(policies[occasion])}`;
  const items: readonly OccasionItem[] = [
    { label: 'All Its Requests', occasions: both },
    {
      label: 'While It Works for You',
      description: now('inCall'),
      detail: 'It asks during the run of a tool, the read of a resource or the making of a prompt.',
      occasions: ['inCall'],
    },
    {
      label: 'By Itself',
      description: now('unasked'),
      detail: 'It asks while nobody has asked anything of it.',
      occasions: ['unasked'],
    },
  ];
  const answer = await askPick(frameOf(server, 2), {
    items,
    picked: [],
    placeholder: `${label}: for which of its requests?`,
    isMany: false,
  });
  return answer.kind === 'back'
    ? 'back'
    : answer.kind === 'accepted'
      ? answer.value[0]?.occasions
      : undefined;
}

async function apply(
  { connection, label }: HostServer,
  access: AccessDecisions,
  { kind }: AccessChoice,
  occasions: readonly SamplingOccasion[],
): Promise<void> {
  const { definition } = connection;
  const [only] = occasions;
  try {
    if (kind === 'thisSession') {
      access.allowForSession(definition, occasions);
    } else {
      const occasion = occasions.length === 1 && only ? only : 'both';
      await access.setPolicy(definition, label, occasion, kind);
    }
  } catch (error) {
    void vscode.window.showErrorMessage(
      inNotification(`Your choice for server '${label}' could not be kept: ${messageOf(error)}`),
    );
    return;
  }
  await tellWhatHolds({ connection, label }, access, kind, occasions);
}

/** Where the choice does not hold yet, or not at all, the person is told why. */
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
    const text = `Server '${label}': ${accessSummary(now)}. "sampling" in the workspace's definition of it does not let it have more.`;
    void vscode.window.showInformationMessage(inNotification(text));
  } else if (state.kind === 'running' && !now.isOffered && now.hasModel !== false && kind !== 'deny') {
    const restart = 'Restart';
    const text = `Server '${label}' is told that it may ask for a language model when it starts again.`;
    if ((await vscode.window.showInformationMessage(inNotification(text), restart)) === restart) {
      await vscode.commands.executeCommand('mcpHost.restartServer', definition.id);
    }
  }
}
