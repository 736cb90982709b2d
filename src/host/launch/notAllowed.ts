import { HostError } from '../errors/hostError.ts';

export function notAllowed(): HostError {
  return new HostError('notAllowed', 'what would be launched is not what was allowed');
}
