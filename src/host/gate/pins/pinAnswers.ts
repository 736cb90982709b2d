import type { InstructionsPin, Pins, ToolPin } from './pins.ts';
import type { ServerChanges } from './serverChanges.ts';
import { toolFingerprint } from './toolFingerprint.ts';

/** One change of a tool that the person has seen. */
export type SeenChange = ServerChanges['tools'][number];

/**
 * Makes what was shown the approved state. What was pinned meanwhile is not what was shown as before, and
 * stays; so does a tool of which `isStill` says that it is something else again.
 */
export function withAccepted(
  pins: Pins,
  shown: ServerChanges,
  isStill: (change: SeenChange) => boolean,
): Pins {
  const tools = new Map(pins.tools);
  for (const change of shown.tools) {
    const from = change.renamedFrom ?? change.name;
    const pin = tools.get(from);
    if (pin && isAbout(pin, change) && isStill(change)) {
      tools.delete(from);
      tools.set(change.name, acceptedPin(pin, change));
    }
  }
  if (pins.isLost) {
    forgetOthers(tools, shown);
  }
  const isAllKnown = pins.tools !== undefined && [...tools.values()].every(({ isNew }) => !isNew);
  const accepted = { ...pins, tools: pins.tools && tools, isLost: pins.isLost && !isAllKnown };
  return withInstructions(accepted, shown, (pin, now) => ({
    ...pin,
    text: now,
    textChanges: pin.textChanges + 1,
  }));
}

/** What was not shown, for it is gone or came since, is new when it is listed next: nothing of it is lost any more. */
function forgetOthers(tools: Map<string, ToolPin>, shown: ServerChanges): void {
  const names = new Set(shown.tools.map(({ name }) => name));
  for (const [name, { isNew }] of tools) {
    if (isNew && !names.has(name)) {
      tools.delete(name);
    }
  }
}

/** Lets the texts of what was shown vary from then on, where they may. */
export function withVarying(pins: Pins, shown: ServerChanges): Pins {
  const tools = new Map(pins.tools);
  for (const change of shown.tools) {
    const pin = tools.get(change.name);
    if (pin && change.canVary && isAbout(pin, change)) {
      tools.set(change.name, { ...pin, varies: true });
    }
  }
  return withInstructions({ ...pins, tools: pins.tools && tools }, shown, (pin) =>
    shown.instructions?.canVary ? { ...pin, varies: true } : pin,
  );
}

/** New tools that were offered, and are known now; what is lost is not known by that. */
export function withAcknowledged(pins: Pins, names: readonly string[]): Pins {
  if (pins.isLost) {
    return pins;
  }
  const fresh = names.flatMap((name) => {
    const pin = pins.tools?.get(name);
    return pin?.isNew ? [[name, { ...pin, isNew: false }] as const] : [];
  });
  return fresh.length === 0 ? pins : { ...pins, tools: new Map([...(pins.tools ?? []), ...fresh]) };
}

function isAbout(pin: ToolPin, { before }: SeenChange): boolean {
  return before ? pin.fingerprint.whole === toolFingerprint(before).whole : pin.isNew;
}

function acceptedPin(pin: ToolPin, { now }: SeenChange): ToolPin {
  const haveTextsChanged =
    !pin.isNew && (now.title !== pin.tool.title || now.description !== pin.tool.description);
  return {
    ...pin,
    tool: now,
    fingerprint: toolFingerprint(now),
    isNew: false,
    textChanges: pin.textChanges + (haveTextsChanged ? 1 : 0),
  };
}

function withInstructions(
  pins: Pins,
  { instructions: change }: ServerChanges,
  make: (pin: InstructionsPin, now: string | undefined) => InstructionsPin,
): Pins {
  const pin = pins.instructions;
  return pin && change && pin.text === change.before
    ? { ...pins, instructions: make(pin, change.now) }
    : pins;
}
