import { createReadStream } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { isRecord } from '../../../base/values/record.ts';
import { Slices } from '../../../base/time/slices.ts';
import type { PinnedTool } from '../../tools/hostTool.ts';
import type { InstructionsPin, Pins, ToolPin } from './pins.ts';
import { ToolFingerprint } from './toolFingerprint.ts';

/** The version that this code writes. */
const VERSION = 1;

/** Characters that are written at once. */
const CHUNK = 256 * 1024;

/** The file has another format, or is cut short. */
export class UnreadablePins extends Error {}

/** The first line; one for each tool follows. */
interface Head {
  readonly version: number;
  /** How many tools follow; absent before the first list. */
  readonly tools?: number;
  readonly instructions?: InstructionsPin;
  readonly isLost: boolean;
  /** Absent in what was written before `taskSupport` was pinned. */
  readonly knowsTasks?: boolean;
}

type ToolLine = Omit<ToolPin, 'fingerprint'>;

/** Writes pins, a line for each tool, in slices, because there may be thousands. */
export async function writePins(file: FileHandle, pins: Pins): Promise<void> {
  const { tools, instructions, isLost, knowsTasks } = pins;
  const slices = new Slices();
  const head: Head = {
    version: VERSION,
    ...(tools && { tools: tools.size }),
    ...(instructions && { instructions }),
    isLost,
    ...(knowsTasks && { knowsTasks }),
  };
  let text = `${JSON.stringify(head)}\n`;
  for (const { tool, isNew, textChanges, varies } of tools?.values() ?? []) {
    text += `${JSON.stringify({ tool, isNew, textChanges, varies } satisfies ToolLine)}\n`;
    if (text.length > CHUNK) {
      await file.writeFile(text);
      text = '';
    }
    if (slices.isUsedUp) {
      await slices.rest();
    }
  }
  await file.writeFile(text);
}

/**
 * @throws UnreadablePins when the file has another format; what the file system says when it can't be
 * read.
 */
export async function readPins(path: string): Promise<Pins> {
  const slices = new Slices();
  let head: Head | undefined;
  const tools = new Map<string, ToolPin>();
  for await (const line of linesOf(path)) {
    if (!head) {
      head = parsed(line, isHead);
    } else {
      const { tool, isNew, textChanges, varies } = parsed(line, isToolLine);
      tools.set(tool.name, { tool, fingerprint: new ToolFingerprint(tool), isNew, textChanges, varies });
    }
    if (slices.isUsedUp) {
      await slices.rest();
    }
  }
  if (!head || tools.size !== (head.tools ?? 0)) {
    throw new UnreadablePins();
  }
  const { instructions, isLost } = head;
  return {
    tools: head.tools === undefined ? undefined : tools,
    instructions: instructions && { ...instructions, text: instructions.text },
    isLost,
    knowsTasks: head.knowsTasks === true,
  };
}

async function* linesOf(path: string): AsyncGenerator<string> {
  let rest: string[] = [];
  for await (const chunk of createReadStream(path, { encoding: 'utf8', highWaterMark: CHUNK })) {
    const [first = '', ...lines] = String(chunk).split('\n');
    rest.push(first);
    for (const line of lines) {
      yield rest.join('');
      rest = [line];
    }
  }
  if (rest.join('') !== '') {
    throw new UnreadablePins();
  }
}

function parsed<T>(line: string, isIt: (value: unknown) => value is T): T {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw new UnreadablePins();
  }
  if (!isIt(value)) {
    throw new UnreadablePins();
  }
  return value;
}

function isHead(value: unknown): value is Head {
  return (
    isRecord(value) &&
    value['version'] === VERSION &&
    (value['tools'] === undefined || Number.isInteger(value['tools'])) &&
    typeof value['isLost'] === 'boolean' &&
    (value['instructions'] === undefined ||
      (isText(value['instructions']) && isTextOrAbsent(value['instructions']['text'])))
  );
}

function isToolLine(value: unknown): value is ToolLine {
  return isText(value) && typeof value['isNew'] === 'boolean' && isPinned(value['tool']);
}

function isPinned(value: unknown): value is PinnedTool {
  return (
    isRecord(value) &&
    typeof value['name'] === 'string' &&
    isTextOrAbsent(value['title']) &&
    isTextOrAbsent(value['description']) &&
    isTextOrAbsent(value['taskSupport'])
  );
}

function isText(value: unknown): value is Readonly<Record<string, unknown>> {
  return isRecord(value) && Number.isInteger(value['textChanges']) && typeof value['varies'] === 'boolean';
}

function isTextOrAbsent(value: unknown): boolean {
  return value === undefined || typeof value === 'string';
}
