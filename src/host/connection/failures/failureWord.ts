import { capitalized } from '../../../base/text/words.ts';
import { fullText, type HostError, type HostErrorCode } from '../../errors/hostError.ts';

/** A failure in two or three words, and whether another try may help, because the definition is not the cause. */
const kinds: Readonly<Record<HostErrorCode, { readonly word: string; readonly isTransient?: true }>> = {
  invalidDefinition: { word: 'invalid definition' },
  folderRefused: { word: 'folder refused' },
  notAllowed: { word: 'not allowed' },
  forbidden: { word: 'not allowed' },
  commandNotFound: { word: 'command not found' },
  workingDirectoryMissing: { word: 'folder not found' },
  spawnFailed: { word: 'cannot be run' },
  exited: { word: 'exited', isTransient: true },
  unattended: { word: 'waited for you' },
  signInRequired: { word: 'sign in required' },
  refused: { word: 'refused' },
  unreachable: { word: 'not reachable', isTransient: true },
  lost: { word: 'connection lost', isTransient: true },
  sessionLost: { word: 'connection lost', isTransient: true },
  notTaken: { word: 'request refused' },
  timedOut: { word: 'no answer', isTransient: true },
  protocol: { word: 'not an MCP server' },
  notRunning: { word: 'stopped' },
  notOffered: { word: 'request refused' },
  heldBack: { word: 'request refused' },
  denied: { word: 'not allowed' },
  invalidArguments: { word: 'request refused' },
};

/** A failure as a sentence with its detail: in the row of a server, and in its check-up. */
export function wholeFailure(failure: HostError): string {
  return capitalized(fullText(failure));
}

/** A failure in two or three words, which follow "failed: " in the row of a server. */
export function failureWord(failure: HostError): string {
  const { code, status = 0 } = failure;
  if (code === 'refused' && (status === 401 || status === 403)) {
    return 'not authorized';
  }
  if (isPackageMissing(failure)) {
    return 'package not found';
  }
  if (suggestsMissingKey(failure)) {
    return 'needs a token';
  }
  const refused = status >= 300 && status < 400 ? 'redirects' : `refused, status ${status || 'unknown'}`;
  return code === 'refused' ? refused : kinds[code].word;
}

/** Whether another try may help. */
export function isWorthRetrying({ code, status = 0 }: HostError): boolean {
  return code === 'refused'
    ? status >= 500 || status === 408 || status === 429
    : kinds[code].isTransient === true;
}

/** At the beginning of a word, or behind an underscore in it. */
const key =
  /(?<![^\W_])(?:(?:api|oauth)[ _-]?keys?|(?:access|auth|bearer|bot|api|personal access)[ _-]?tokens?|tokens?|secrets?|secret[ _-]?keys?|credentials?|passwords?|pat)\b/i;
const lack =
  /\b(?:missing|required|not (?:set|found|provided|configured|defined|specified|given)|no|none|invalid|empty|unset|undefined|needs?|must|please (?:set|provide)|without|lacks?|expired|unauthorized|incorrect|wrong)\b/i;

/** Whether the text of a failure suggests that a key, a token or a password is missing. */
export function suggestsMissingKey(failure: HostError): boolean {
  const { code, status = 0 } = failure;
  if (code === 'refused' && (status === 401 || status === 403)) {
    return true;
  }
  return (
    (code === 'exited' || code === 'timedOut' || (code === 'refused' && status < 500)) &&
    linesOf(failure).some((line) => key.test(line) && lack.test(line))
  );
}

/** What npm, pnpm, Bun, uv, pip and Docker write about a package or a version that doesn't exist. */
const packageMissing = [
  /^npm (?:error|ERR!) code (?:E404|ETARGET)$/,
  /\bERR_PNPM_(?:FETCH_404|NO_MATCHING_VERSION)\b/,
  /^error: GET https?:\/\/\S+ - 404$/,
  /\bnot found in the package registry\b/,
  /\bthere (?:is no version|are no versions) of \S+/,
  /\bNo matching distribution found for \S+/,
  /\b(?:pull access denied for|manifest for) \S+/,
];

/** Whether a server exited because the package that it runs from was not found. */
export function isPackageMissing(failure: HostError): boolean {
  return (
    failure.code === 'exited' &&
    linesOf(failure).some((line) => packageMissing.some((words) => words.test(line.trim())))
  );
}

function linesOf(failure: HostError): readonly string[] {
  return fullText(failure).split('\n');
}
