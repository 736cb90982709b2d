import type { HostError } from '../../errors/hostError.ts';

/**
 * What a failure says without what differs from one time to the next: times, ports, ids of processes and requests.
 * Equal for failures that are the same to whoever reads them.
 */
export function sameWords({ code, message }: HostError): string {
  const [how = ''] = /^it exited with code \w+/.exec(message) ?? [];
  return `${code} ${how}${message.slice(how.length).replaceAll(/\b[\da-f]{8,}\b|\d+/gi, '#')}`;
}
