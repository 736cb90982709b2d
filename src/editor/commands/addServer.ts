import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { renamed } from '../../host/config/edit/renamed.ts';
import { secretsIn, withoutSecrets, type FoundSecret } from '../../host/config/edit/secrets.ts';
import type { ServerDraft } from '../../host/config/edit/serverDraft.ts';
import { suggestName } from '../../host/config/edit/suggestName.ts';
import { problemOfName, takenNames } from '../../host/config/edit/withServer.ts';
import { forPlace } from '../../host/config/import/forPlace.ts';
import { serverId } from '../../host/config/serverDefinition.ts';
import { messageOf } from '../../host/hostError.ts';
import type { McpHost } from '../../host/mcpHost.ts';
import type { ViewDocuments } from '../documents/viewDocuments.ts';
import { inNotification, inQuickInput } from '../plainText.ts';
import { askLaunch, askParts, type Begun } from './askLaunch.ts';
import { confirmLaunches } from './confirmLaunches.ts';
import { askPick, askText, type Frame } from './quickInputs.ts';
import { saveServers, type SaveDependencies } from './saveServers.ts';
import { saveTargets, textOf, type SaveTarget } from './saveTargets.ts';
import { startWhenThere } from './startWhenThere.ts';

export interface AddServerDependencies extends SaveDependencies {
  readonly host: McpHost;
  readonly viewDocuments: ViewDocuments;
}

/** What has been answered so far; a step reads what stands before it, and goes on from what it was. */
interface Answers {
  kind: 'stdio' | 'http';
  begun: Begun | undefined;
  /** The texts that go into inputs. */
  secrets: readonly FoundSecret[];
  target: SaveTarget | undefined;
  draft: ServerDraft | undefined;
}

type Moved = 'next' | 'back' | 'cancelled';
type Step = (answers: Answers, frame: Frame, isBackwards: boolean) => Promise<Moved>;

const steps: readonly Step[] = [askKind, askLine, askArguments, askNamed, askSecrets, askTarget, askName];

/** Registers `mcpHost.addServer`: the way of a server into a file, step by step. */
export function registerAddServer(dependencies: AddServerDependencies): Disposable {
  return vscode.commands.registerCommand('mcpHost.addServer', async () => {
    const answers: Answers = {
      kind: 'stdio',
      begun: undefined,
      secrets: [],
      target: undefined,
      draft: undefined,
    };
    try {
      await addServer(answers, dependencies);
    } catch (error) {
      await vscode.window.showErrorMessage(inNotification(`The server was not added: ${messageOf(error)}`));
    }
  });
}

async function addServer(answers: Answers, dependencies: AddServerDependencies): Promise<void> {
  let isBackwards = false;
  for (let index = 0; index < steps.length;) {
    const frame: Frame = {
      title: 'Add Server',
      step: index + 1,
      totalSteps: steps.length,
      canGoBack: index > 0,
      buttons: [],
      problem: undefined,
    };
    const moved: Moved = (await steps[index]?.(answers, frame, isBackwards)) ?? 'cancelled';
    if (moved === 'cancelled') {
      return;
    }
    isBackwards = moved === 'back';
    index = Math.max(0, index + (isBackwards ? -1 : 1));
  }
  const { draft, target, begun } = answers;
  if (draft && target) {
    await finish(draft, target, begun?.notes ?? [], dependencies);
  }
}

async function finish(
  named: ServerDraft,
  target: SaveTarget,
  notes: readonly string[],
  { host, viewDocuments, ...saving }: AddServerDependencies,
): Promise<void> {
  const draft = forPlace(named, target.where);
  if (typeof draft === 'string') {
    throw new Error(draft);
  }
  const confirmed = await confirmLaunches([{ draft, notes }], target, {
    viewDocuments,
    questionAbout: (definition) => host.questionAbout(definition),
  });
  if (confirmed === 'cancelled') {
    return;
  }
  const written: ServerDraft = confirmed === 'start' ? draft : { ...draft, autoStart: false };
  const isSaved = await saveServers([written], target, saving);
  if (!isSaved) {
    void vscode.window.showInformationMessage(
      inNotification(`'${draft.name}' is written, but the file had unsaved changes: save it to go on.`),
    );
  } else if (confirmed === 'start') {
    await startWhenThere(host, serverId(target.origin, draft.name));
  }
}

async function askKind(answers: Answers, frame: Frame): Promise<Moved> {
  const items = [
    {
      label: 'Command',
      description: 'stdio',
      detail: 'A program on this machine, such as npx -y @scope/server',
      launch: 'stdio' as const,
    },
    {
      label: 'Address',
      description: 'HTTP',
      detail: 'A server that is reached by its URL',
      launch: 'http' as const,
    },
  ];
  const answer = await askPick(frame, {
    items,
    picked: items.filter(({ launch }) => launch === answers.kind),
    placeholder: 'How is the server reached? A definition in JSON can be pasted in the next step, too',
    isMany: false,
  });
  if (answer.kind !== 'accepted') {
    return 'cancelled';
  }
  const kind = answer.value[0]?.launch ?? 'stdio';
  if (kind !== answers.kind) {
    answers.begun = undefined;
  }
  answers.kind = kind;
  return 'next';
}

async function askLine(answers: Answers, frame: Frame): Promise<Moved> {
  const asked = await askLaunch(frame, answers.kind, answers.begun?.typed ?? '');
  if (typeof asked === 'string') {
    return asked;
  }
  if (asked.typed !== answers.begun?.typed) {
    answers.begun = asked;
  }
  return 'next';
}

/** The arguments one by one, as they were split; an address has none. */
async function askArguments(answers: Answers, frame: Frame, isBackwards: boolean): Promise<Moved> {
  const { begun } = answers;
  if (begun?.launch.type !== 'stdio') {
    return isBackwards ? 'back' : 'next';
  }
  return askParts(frame, begun, 'args');
}

async function askNamed(answers: Answers, frame: Frame): Promise<Moved> {
  const { begun } = answers;
  return begun ? askParts(frame, begun, begun.launch.type === 'stdio' ? 'env' : 'headers') : 'back';
}

/** Which of the texts that look like secrets are kept out of the file. */
async function askSecrets(answers: Answers, frame: Frame, isBackwards: boolean): Promise<Moved> {
  const { begun } = answers;
  const found = begun ? secretsIn(begun.launch) : [];
  if (found.length === 0) {
    answers.secrets = [];
    return isBackwards ? 'back' : 'next';
  }
  const items = found.map((secret) => ({
    label: inQuickInput(secret.name),
    description: words[secret.place],
    secret,
  }));
  const answer = await askPick(frame, {
    items,
    picked: items,
    placeholder: 'These look like secrets. Ticked ones go into the secret storage instead of the file',
    isMany: true,
  });
  if (answer.kind === 'accepted') {
    answers.secrets = answer.value.map(({ secret }) => secret);
    return 'next';
  }
  return answer.kind === 'back' ? 'back' : 'cancelled';
}

const words = { env: 'environment variable', headers: 'header', args: 'argument', url: 'in the address' };

async function askTarget(answers: Answers, frame: Frame): Promise<Moved> {
  const { begun } = answers;
  if (!begun) {
    return 'back';
  }
  const items = saveTargets()
    .filter(({ where }) => typeof forPlace(draftOf(begun), where) === 'object')
    .map((target) => ({ label: inQuickInput(target.label), detail: inQuickInput(target.detail), target }));
  const answer = await askPick(frame, {
    items,
    picked: items.filter(({ target }) => target.origin.place === answers.target?.origin.place),
    placeholder: 'Where is the server to be saved?',
    isMany: false,
  });
  if (answer.kind === 'accepted') {
    answers.target = answer.value[0]?.target;
    return 'next';
  }
  return answer.kind === 'back' ? 'back' : 'cancelled';
}

async function askName(answers: Answers, frame: Frame): Promise<Moved> {
  const { target, begun, secrets } = answers;
  if (!target || !begun) {
    return 'back';
  }
  const taken = takenNames(await textOf(target), target.where);
  const isFree = begun.name !== '' && !taken.servers.has(begun.name);
  const answer = await askText(frame, {
    value: isFree ? begun.name : suggestName(begun.launch, taken.servers),
    prompt: `The name of the server in ${inQuickInput(target.label)}`,
    placeholder: '',
    isPassword: false,
    check: (typed) => problemOfName(typed, taken.servers),
  });
  if (answer.kind === 'accepted') {
    begun.name = answer.value;
    answers.draft = renamed(withoutSecrets(draftOf(begun), secrets), answer.value, taken.inputs);
    return 'next';
  }
  return answer.kind === 'back' ? 'back' : 'cancelled';
}

function draftOf({ name, launch, inputs }: Begun): ServerDraft {
  return { name, launch, inputs, values: new Map() };
}
