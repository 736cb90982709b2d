import { fullText, type HostError } from '../../errors/hostError.ts';

/** What a failure is about in two or three words, as they follow "failed: " in the row of a server. */
export function failureWord(failure: HostError): string {
  switch (failure.code) {
    case 'commandNotFound':
      return 'command not found';
    case 'workingDirectoryMissing':
      return 'folder not found';
    case 'spawnFailed':
      return 'cannot be run';
    case 'exited':
      return suggestsMissingKey(failure) ? 'needs a key' : 'exited';
    case 'timedOut':
      return 'no answer';
    case 'refused':
      return failure.status === 401 || failure.status === 403
        ? 'not authorized'
        : suggestsMissingKey(failure)
          ? 'needs a key'
          : `refused, status ${failure.status ?? 'unknown'}`;
    case 'unreachable':
      return 'not reachable';
    case 'lost':
    case 'sessionLost':
      return 'connection lost';
    case 'protocol':
      return 'not an MCP server';
    case 'invalidDefinition':
      return 'invalid definition';
    case 'notAllowed':
    case 'denied':
      return 'not allowed';
    case 'folderRefused':
      return 'folder refused';
    case 'notRunning':
      return 'stopped';
    case 'notTaken':
    case 'notOffered':
    case 'heldBack':
    case 'invalidArguments':
      return 'request refused';
  }
}

const key =
  /\b(?:\w+_)*(?:api[ _-]?keys?|(?:access|auth|bearer|bot|api|personal access)[ _-]?tokens?|tokens?|secrets?|secret[ _-]?keys?|credentials?|passwords?|pat)\b/i;
const lack =
  /\b(?:missing|required|not (?:set|found|provided|configured|defined|specified|given)|no|none|invalid|empty|unset|undefined|needs?|must|please (?:set|provide)|without|lacks?|expired|unauthorized|incorrect|wrong)\b/i;

/** Whether what a server says of its failure sounds as if it wanted a key, a token or a password. */
export function suggestsMissingKey(failure: HostError): boolean {
  const { code, status = 0 } = failure;
  if (code === 'refused' && (status === 401 || status === 403)) {
    return true;
  }
  return (
    (code === 'exited' || (code === 'refused' && status < 500)) &&
    fullText(failure)
      .split('\n')
      .some((line) => key.test(line) && lack.test(line))
  );
}
