import path from 'node:path';
import { occasionText } from '../sampling/accessText.ts';
import type { SamplingPolicy } from '../config/samplingSettings.ts';
import type {
  CallTarget,
  ExposureDecision,
  KeptDecision,
  PersonDecision,
  SamplingDecision,
} from './decision.ts';
import type { LaunchSnapshot } from '../launch/question/launchSnapshot.ts';
import { quotedText, visibleText } from '../../base/visibleText.ts';
import type { WatchedFile } from '../launch/question/watchedFiles.ts';

/** False for what this host keeps beside the person's decisions, which nobody takes back. */
export function isByPerson(decision: KeptDecision): decision is KeptDecision & PersonDecision {
  return decision.kind !== 'pinned';
}

/** What was decided, in a few words. */
export function decisionText(decision: PersonDecision): string {
  switch (decision.kind) {
    case 'launch':
      return decision.answer === 'allow' ? allowedText(decision.files) : 'may not start';
    case 'roots': {
      const { folders, subfolders = [] } = decision;
      if (folders === 'all') {
        return 'sees all folders';
      }
      const count = folders.length + subfolders.filter(({ isShared }) => isShared).length;
      return count === 1 ? 'sees one folder' : `sees ${count === 0 ? 'no' : count} folders`;
    }
    case 'preference':
      return 'runs instead of yours of the same name';
    case 'sample':
      return 'is in the Servers view';
    case 'exposure':
      return exposureText(decision);
    case 'grant':
      return 'is available to chat';
    case 'trust':
      return 'is trusted in what it claims of its tools';
    case 'call': {
      const { answer, span, target, doorText } = decision;
      const where = span === 'workspace' ? ' in its workspace' : '';
      return `${answer === 'allow' ? 'lets' : 'never lets'} ${inSentence(doorText)} ${targetText(target)}${where}`;
    }
    case 'sampling':
      return samplingText(decision);
  }
}

function exposureText({ basis, except, newTools }: ExposureDecision): string {
  const some = except.length === 1 ? 'one tool' : `${except.length} tools`;
  const later = newTools === 'offered' ? ', and new ones without a review' : '';
  switch (basis) {
    case 'all':
      return (except.length === 0 ? 'offers all its tools' : `offers all its tools but ${some}`) + later;
    case 'none':
      return (except.length === 0 ? 'offers no tool' : `offers ${some} only`) + later;
    case 'definition':
      return (
        (except.length === 0
          ? 'offers its tools as defined'
          : `offers its tools as defined, but for ${some}`) + later
      );
  }
}

function samplingText({ inCall, unasked }: SamplingDecision): string {
  if (inCall !== undefined && inCall === unasked) {
    return policyText(inCall);
  }
  const parts = [
    ...(inCall === undefined ? [] : [`${policyText(inCall)} ${occasionText('inCall')}`]),
    ...(unasked === undefined ? [] : [`${policyText(unasked)} ${occasionText('unasked')}`]),
  ];
  return parts.length === 0 ? 'uses language models as your settings say' : parts.join(', and ');
}

function policyText(policy: SamplingPolicy): string {
  switch (policy) {
    case 'ask':
      return 'asks you before each use of a language model';
    case 'session':
      return 'asks you once in each session before it uses language models';
    case 'allow':
      return 'may always use language models';
    case 'deny':
      return 'may use no language model';
  }
}

function targetText({ kind, name }: CallTarget): string {
  switch (kind) {
    case 'tool':
      return name === undefined ? 'call its tools' : `call '${name}'`;
    case 'resource':
      return 'read its resources';
    case 'prompt':
      return name === undefined ? 'get its prompts' : `get the prompt '${name}'`;
  }
}

function allowedText(files: readonly WatchedFile[] = []): string {
  const names = files.map((file) => visibleText(path.basename(file.path)));
  return names.length === 0 ? 'may start' : `may start, and asks again when ${names.join(' or ')} changes`;
}

function inSentence(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/** The command with its arguments, or the address, on one line. */
export function launchLine({ type, command, args, url }: LaunchSnapshot): string {
  return type === 'stdio' ? [command, ...args].map(quotedText).join(' ') : quotedText(url);
}
