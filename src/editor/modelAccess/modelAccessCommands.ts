import * as vscode from 'vscode';
import type { Disposable } from '../../base/lifetime/disposable.ts';
import type { HostServer, McpHost } from '../../host/servers/mcpHost.ts';
import { accessSummary, occasionText, policyText } from '../../host/sampling/accessText.ts';
import type { LanguageModels } from '../../host/sampling/request/languageModels.ts';
import type { AccessPolicy } from '../../host/sampling/accessPolicy.ts';
import type { SamplingAccess } from '../../host/sampling/samplingAccess.ts';
import type { SamplingPolicy, SamplingSettings } from '../../host/sampling/samplingSettings.ts';
import type { SamplingOccasion } from '../../host/sampling/request/samplingRequest.ts';
import { registerCommands, runCommand } from '../commands/commands.ts';
import { inNotification, oneLine } from '../messages/plainText.ts';
import { reportingError } from '../messages/notifications.ts';
import { chooseModels } from './chooseModels.ts';
import { onServer } from '../commands/onServer.ts';
import { askPick } from '../quickInput/quickInputs.ts';

/** What you can decide about a server's access to language models. */
interface AccessChoice {
  readonly kind: SamplingPolicy | 'thisSession' | 'default';
  readonly label: string;
  /** What follows from it. */
  readonly detail: string;
}

const accessChoices: readonly AccessChoice[] = [
  {
    kind: 'ask',
    label: 'Ask Each Time',
    detail: 'You review each request before it is sent to a model, and can edit or refuse it.',
  },
  {
    kind: 'session',
    label: 'Ask Once for Each Session',
    detail: 'You review the first request. If you send it, later ones in this window are not reviewed.',
  },
  {
    kind: 'thisSession',
    label: 'Allow for This Session',
    detail: 'What it sends to a model, and gets, is not reviewed until you close the window.',
  },
  {
    kind: 'allow',
    label: 'Always Allow',
    detail: 'What it sends to a model, and gets, is never reviewed. Your limits apply.',
  },
  { kind: 'deny', label: 'Never', detail: 'All its requests are refused, and you are not asked.' },
  {
    kind: 'default',
    label: 'Follow the Settings',
    detail: 'Forgets your decision. The definition decides, otherwise your settings.',
  },
];

const both: readonly SamplingOccasion[] = ['inCall', 'unasked'];

/** Registers what you can decide about language models for servers. */
export function registerModelAccessCommands(
  host: McpHost,
  access: SamplingAccess,
  models: LanguageModels,
  settings: SamplingSettings,
): Disposable {
  return registerCommands({
    setModelAccess: onServer(host, {
      placeholder: 'Select a server to set its model access',
      run: (server) => setModelAccess(server, access),
    }),
    chooseModels: () => chooseModels(models, settings),
  });
}

/** What you did with the list of choices; `only` asks for the list of one occasion. */
type Answer =
  | { readonly kind: 'chosen'; readonly choice: AccessChoice['kind'] }
  | { readonly kind: 'only'; readonly occasion: SamplingOccasion }
  | { readonly kind: 'back' | 'left' };

interface AnswerItem extends vscode.QuickPickItem {
  readonly answer?: Answer;
}

async function setModelAccess(server: HostServer, access: SamplingAccess): Promise<void> {
  let occasions = both;
  for (;;) {
    const answer = await askChoice(server, access, occasions);
    switch (answer.kind) {
      case 'chosen':
        return apply(server, access, answer.choice, occasions);
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

async function askChoice(
  { connection, label }: HostServer,
  access: SamplingAccess,
  occasions: readonly SamplingOccasion[],
): Promise<Answer> {
  const { policies } = access.accessOf(connection.definition);
  const [only] = occasions.length === 1 ? occasions : [];
  const choices = accessChoices.map((choice): AnswerItem => {
    const holds = occasions.filter((occasion) => choiceIn(policies[occasion]) === choice.kind);
    const when = holds.length === occasions.length ? '' : ` ${holds.map(occasionText).join()}`;
    return {
      label: choice.label,
      detail: choice.detail,
      ...(holds.length > 0 && { description: `$(check) holds now${when}` }),
      answer: { kind: 'chosen', choice: choice.kind },
    };
  });
  const now = choiceIn(policies[only ?? 'inCall']);
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
      picked: choices.filter(({ answer }) => answer?.kind === 'chosen' && answer.choice === now),
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
  access: SamplingAccess,
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
  access: SamplingAccess,
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

/** The choice that holds on one occasion. */
function choiceIn({ policy, basis, isForSession }: AccessPolicy): AccessChoice['kind'] {
  if (isForSession) {
    return 'thisSession';
  }
  return basis === 'decision' ? policy : 'default';
}
