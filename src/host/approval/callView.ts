import { visibleParts } from '../../base/visibleText.ts';
import { doorText } from '../gate/door.ts';
import type { CallQuestion } from './questionQueue.ts';
import type { ViewContext } from './questionView.ts';
import type { CallView } from './reviewProtocol.ts';

/** A request to a server as the review panel shows it. */
export function callView(question: CallQuestion, { id, placeOf, isRenewed }: ViewContext): CallView {
  const { server, door, target, warnings, claims, args = {}, spans, description } = question;
  return {
    kind: 'call',
    id,
    title: visibleParts(`${doorText(door)} wants to run '${target}' of '${server.label}'`),
    isRenewed,
    place: visibleParts(placeOf(server.definition)),
    warnings: warnings.map(visibleParts),
    description: description === undefined ? [] : [visibleParts(description)],
    claims: claims.map(visibleParts),
    arguments: Object.entries(args).map(([name, value]) => ({
      name: visibleParts(name),
      value: visibleParts(JSON.stringify(value, undefined, 2)),
    })),
    spans,
    all: visibleParts(`All tools of '${server.label}'`),
  };
}

/** The same as plain text. */
export function callViewText(view: CallView): string {
  return view.arguments
    .map(({ name, value }) => [name, value].map((text) => text.map((part) => part.text).join('')).join(': '))
    .join('\n');
}
