import type { ServerId } from '../../config/serverDefinition.ts';
import type { HostTool, PinnedTool } from '../../tools/hostTool.ts';
import { canToolVary, type InstructionsPin, type Pins, type ToolPin } from './pins.ts';
import { listedTool, ToolFingerprint } from './toolFingerprint.ts';

/** What has changed of one server since it was approved. */
export interface ServerChanges {
  readonly serverId: ServerId;
  /** What was approved is lost: then everything that the server lists is new. */
  readonly isLost?: boolean;
  /** Tools that are held back. */
  readonly tools: readonly {
    readonly name: string;
    /** Undefined for a tool that came after the launch was approved, or whose pin is lost. */
    readonly before: PinnedTool | undefined;
    readonly now: PinnedTool;
    readonly renamedFrom?: string;
    /** True from the second change of its texts, if schema and annotations are unchanged. */
    readonly canVary: boolean;
  }[];
  /** The server's `instructions`, when they have changed. */
  readonly instructions?: {
    readonly before: string | undefined;
    readonly now: string | undefined;
    readonly canVary: boolean;
  };
}

/** One change of a tool that you have seen. */
export type SeenChange = ServerChanges['tools'][number];

/** What has changed since it was approved; undefined when nothing has. `now` is the server's instructions. */
export function changesOf(
  all: readonly HostTool[],
  now: string | undefined,
  pins: Pins,
  serverId: ServerId,
): ServerChanges | undefined {
  const tools = all.flatMap(({ tool, standing }) => {
    const listed = listedTool(tool);
    if ((standing.kind !== 'changed' && standing.kind !== 'added') || !listed) {
      return [];
    }
    const { before, renamedFrom } = standing.kind === 'changed' ? standing : { before: undefined };
    const pin = pins.tools?.get(tool.name);
    return {
      name: tool.name,
      before,
      now: listed.pinned,
      ...(renamedFrom !== undefined && { renamedFrom }),
      canVary: before !== undefined && pin !== undefined && canToolVary(listed, pin),
    };
  });
  const pin = pins.instructions;
  const instructions =
    pin && !pin.varies && pin.text !== now
      ? { before: pin.text, now, canVary: pin.textChanges > 0 }
      : undefined;
  return tools.length === 0 && !instructions
    ? undefined
    : { serverId, ...(pins.isLost && { isLost: true }), tools, ...(instructions && { instructions }) };
}

/**
 * Makes what was shown the approved state. A pin that is no longer as it was shown
 * stays; so does a tool that has changed again, as `isStill` says.
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

/** A tool that was not shown, because it is gone or came since, is new when it is listed again, and no longer lost. */
function forgetOthers(tools: Map<string, ToolPin>, shown: ServerChanges): void {
  const names = new Set(shown.tools.map(({ name }) => name));
  for (const [name, { isNew }] of tools) {
    if (isNew && !names.has(name)) {
      tools.delete(name);
    }
  }
}

/** Allows the texts of what was shown to vary from then on, where they can. */
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

/** Makes new tools that were offered known, unless pins are lost. */
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
  return before ? pin.fingerprint.equals(new ToolFingerprint(before)) : pin.isNew;
}

function acceptedPin(pin: ToolPin, { now }: SeenChange): ToolPin {
  const haveTextsChanged =
    !pin.isNew && (now.title !== pin.tool.title || now.description !== pin.tool.description);
  return {
    ...pin,
    tool: now,
    fingerprint: new ToolFingerprint(now),
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
