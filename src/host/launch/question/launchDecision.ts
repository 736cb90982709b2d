import path from 'node:path';
import { URI } from 'vscode-uri';
import { hasTexts, isRecord, isTextRecord } from '../../../base/values/record.ts';
import { quotedText, visibleText } from '../../../base/text/visibleText.ts';
import type { Answer, Decision, DecisionKind, KeyParts } from '../../decisions/decision.ts';
import type { GivenInputs } from '../fingerprint.ts';
import { isSnapshot, type LaunchSnapshot } from './launchSnapshot.ts';
import type { WatchedFile } from './watchedFiles.ts';

/** Your answer to one launch of one server. */
export interface LaunchDecision extends Decision {
  readonly kind: 'launch';
  readonly answer: Answer;
  readonly span: 'always';
  /** The place of the definition's origin. */
  readonly place: string;
  readonly fingerprint: string;
  /** What was shown. */
  readonly snapshot: LaunchSnapshot;
  /** While one of them is not as it was then, the launch is asked about again. */
  readonly files?: readonly WatchedFile[];
  /** It holds in any folder that you trust: `${workspaceFolder}` is left open in the fingerprint and the snapshot. */
  readonly inAnyFolder?: boolean;
  /** With inputs in what is fixed: the launch that their values have made. Absent before its first start. */
  readonly completed?: CompletedLaunch;
}

/** A launch with what was given for its inputs. */
export interface CompletedLaunch {
  readonly fingerprint: string;
  readonly given: GivenInputs;
}

export const launchDecisionKind: DecisionKind<LaunchDecision> = {
  name: 'launch',
  isEntry: (fields) =>
    (fields['answer'] === 'allow' || fields['answer'] === 'deny') &&
    fields['span'] === 'always' &&
    hasTexts(fields, 'place', 'fingerprint') &&
    (fields['completed'] === undefined || isCompleted(fields['completed'])) &&
    isSnapshot(fields['snapshot']) &&
    (fields['inAnyFolder'] === undefined || fields['inAnyFolder'] === true) &&
    (fields['files'] === undefined || areFiles(fields['files'])),
  keyParts: ({ snapshot, fingerprint }) =>
    launchKeyParts(snapshot.type === 'stdio' ? snapshot.cwd : undefined, fingerprint),
  isDenial: ({ answer }) => answer === 'deny',
  generosity: ({ answer }) => (answer === 'deny' ? 0 : 1),
  words: {
    what({ answer, inAnyFolder, files = [] }) {
      const chosen = files.filter(({ isBeside }) => !isBeside);
      const names = chosen.map((file) => visibleText(path.basename(file.path)));
      const again = names.length === 0 ? '' : `, and asks again when ${names.join(' or ')} changes`;
      const where = inAnyFolder ? ' in any folder that you trust' : '';
      return answer === 'allow' ? `may start${where}${again}` : 'may not start';
    },
    // A launch may be longer than the row, so it is last.
    detail: ({ place, snapshot }, shown) => `${shown.place(place)} · ${launchLine(snapshot)}`,
    undone: ({ answer }) =>
      answer === 'allow'
        ? 'If the server runs this way, it stops. You are asked again before it starts this way.'
        : 'You are asked again before the server starts this way.',
  },
};

/** By the folder's URI, and not by the workspace's id, which changes with its file. */
export function launchKeyParts(workingDirectory: string | undefined, fingerprint: string): KeyParts {
  return [workingDirectory === undefined ? null : URI.file(workingDirectory).toString(), fingerprint];
}

/** The command with its arguments, or the address, on one line. */
function launchLine({ command, args, url }: LaunchSnapshot): string {
  return (url === '' ? [command, ...args] : [url]).map(quotedText).join(' ');
}

function areFiles(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => hasTexts(one, 'path', 'sha256'));
}

function isCompleted(value: unknown): boolean {
  return isRecord(value) && hasTexts(value, 'fingerprint') && isTextRecord(value['given']);
}
