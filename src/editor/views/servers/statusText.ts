/** Names that the tooltip says before it counts. */
const MAX_NAMED = 5;

/** What the status bar says of what waits and of what failed, and the lines of its tooltip, which end in what a click does. */
export function statusText(
  waiting: number,
  failed: readonly string[],
): { readonly text: string; readonly lines: readonly string[] } {
  const counts = [
    ...(waiting > 0 ? [`${waiting} waiting`] : []),
    ...(failed.length > 0 ? [`${failed.length} failed`] : []),
  ];
  const more = failed.length > MAX_NAMED ? ` and ${failed.length - MAX_NAMED} more` : '';
  return {
    text: `MCP: ${counts.join(', ')}`,
    lines: [
      ...(waiting > 0
        ? [waiting === 1 ? '1 server is waiting for you' : `${waiting} servers are waiting for you`]
        : []),
      ...(failed.length > 0 ? [`Failed: ${failed.slice(0, MAX_NAMED).join(', ')}${more}`] : []),
      waiting > 0 ? 'Select to review what is waiting' : 'Select to show the servers',
    ],
  };
}
