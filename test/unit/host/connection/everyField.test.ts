import assert from 'node:assert/strict';
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { Slices, SLICE_WORK } from '../../../../src/base/time/slices.ts';
import {
  lightBounds,
  listBounds,
  messageBounds,
  plainBounds,
  samplingBounds,
} from '../../../../src/host/json/bounds.ts';
import { asChecked } from '../../../../src/host/results/checkedResult.ts';
import type { SoundPage } from '../../../../src/host/results/soundPage.ts';
import { SoundMessages } from '../../../../src/host/results/soundMessages.ts';
import { weightOf } from '../../../../src/host/json/weight.ts';
import * as sdk from '../../../../src/host/sdk/sdk.ts';
import { readReceived } from '../../../../src/host/json/receivedLine.ts';
import { serverResults } from '../../support/serverResults.ts';
import { isThorough } from '../../support/thoroughness.ts';

type Json = Readonly<Record<string, unknown>>;

/** Work of one step, after which a turn may end: a large item or text is one. */
const MOST_IN_A_STEP = 4 * SLICE_WORK;

/** Slices that know no clock, and count what is done in each. */
class CountedSlices extends Slices {
  static most = 0;
  #work = 0;

  override get isUsedUp(): boolean {
    return this.#work >= SLICE_WORK;
  }

  override spend(units: number): void {
    this.#work += units;
    CountedSlices.most = Math.max(CountedSlices.most, this.#work);
  }

  override renew(): void {
    this.#work = 0;
  }
}

/** Is in the JSON where an attack goes. */
const MARK = '"@attack@"';

/** What a field is given instead of what belongs there, as JSON: more than anything of its kind may be. */
const attacks: Readonly<Record<string, string>> = {
  'a huge text': `"${'x'.repeat(plainBounds.characters + 1)}"`,
  'a text of what nobody sees': `"${'\u200B'.repeat(100_000)}"`,
  'a deep list': '['.repeat(20_000) + ']'.repeat(20_000),
  'a deep object': `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`,
  'a list just within the depth': '['.repeat(900) + ']'.repeat(900),
  'numerous values': `[${'{},'.repeat(plainBounds.values)}1]`,
  'numerous members': `{${Array.from({ length: plainBounds.values }, (_, index) => `"k${index}":1`).join(',')}}`,
  'numerous texts': `[${'"x",'.repeat(plainBounds.values)}"x"]`,
  nothing: 'null',
  'an empty text': '""',
  'an empty list': '[]',
  'an empty object': '{}',
};

/** The same without measure, which takes its time. */
const giants: Readonly<Record<string, string>> = {
  'a text of 8 MiB': `"${'\\u6f22x'.repeat(2 ** 20)}"`,
  'a million values': `[${'[],'.repeat(messageBounds.values)}1]`,
  '400,000 objects': `[${'{"a":1},'.repeat(400_000)}1]`,
  '100,000 members': `{${Array.from({ length: 100_000 }, (_, index) => `"k${index}":1`).join(',')}}`,
  '100,000 levels': '['.repeat(100_000) + ']'.repeat(100_000),
};
/**
 * Of so many fields, one: that of a small attack, a large one, one without measure. Large ones are tried by one era or the
 * other.
 */
const strides = isThorough ? { small: 1, large: 2, giant: 120 } : { small: 8, large: 74, giant: 240 };

function schemaOf(name: keyof typeof sdk.specTypeSchemas): Json {
  const { jsonSchema } = sdk.specTypeSchemas[name]['~standard'] as unknown as {
    readonly jsonSchema: { input(options: Json): Json };
  };
  return jsonSchema.input({ target: 'draft-2020-12', unrepresentable: 'any' });
}

/** A value for a schema, and those in which one field after the other is marked. */
function* marked(schema: unknown, root: Json, depth: number): Generator<unknown, unknown> {
  const {
    $ref,
    anyOf,
    oneOf,
    allOf,
    type,
    properties,
    items,
    const: constant,
    enum: values,
  } = Object(schema) as Json;
  yield JSON.parse(MARK);
  if (depth > 6) {
    return {};
  }
  if (typeof $ref === 'string') {
    const target = $ref
      .split('/')
      .slice(1)
      .reduce<unknown>((at, key) => (at as Json)[key], root);
    return yield* marked(target, root, depth + 2);
  }
  const union = anyOf ?? oneOf ?? allOf;
  if (Array.isArray(union)) {
    let first: unknown;
    for (const one of union as unknown[]) {
      const sample = yield* marked(one, root, depth + 1);
      first ??= sample;
    }
    return first;
  }
  if (constant !== undefined || Array.isArray(values)) {
    return constant ?? (values as unknown[])[0];
  }
  switch (type) {
    case 'object': {
      const whole: Record<string, unknown> = {};
      const fields = Object.entries(Object(properties) as Json);
      const others: [string, unknown[]][] = [];
      for (const [name, field] of fields) {
        const variants = marked(field, root, depth + 1);
        const found: unknown[] = [];
        let step = variants.next();
        for (; !step.done; step = variants.next()) {
          found.push(step.value);
        }
        whole[name] = step.value;
        others.push([name, found]);
      }
      for (const [name, found] of others) {
        for (const variant of found) {
          yield { ...whole, [name]: variant };
        }
      }
      yield { ...whole, unknownField: JSON.parse(MARK) as unknown };
      return whole;
    }
    case 'array': {
      const variants = marked(items, root, depth + 1);
      let step = variants.next();
      for (; !step.done; step = variants.next()) {
        yield [step.value];
      }
      return [step.value];
    }
    case 'string':
      return 'text';
    case 'number':
    case 'integer':
      return 1;
    case 'boolean':
      return true;
    default:
      return {};
  }
}

/** The messages of one kind with one field marked, as JSON. */
function messagesOf(schema: Json, wrap: (value: unknown) => unknown): readonly string[] {
  const found = new Set<string>();
  for (const variant of marked(schema, schema, 0)) {
    found.add(JSON.stringify(wrap(variant)));
  }
  return [...found];
}

/** Every message with each of its fields marked, and the method that it answers. */
const every: readonly (readonly [message: string, method: string | undefined])[] = [
  ...serverResults.flatMap(([name, method]) =>
    messagesOf(schemaOf(name), (result) => ({ jsonrpc: '2.0', id: 1, result })).map(
      (message) => [message, method] as const,
    ),
  ),
  ...(['ServerNotification', 'ServerRequest'] as const).flatMap((name) =>
    messagesOf(schemaOf(name), (message) => ({ jsonrpc: '2.0', id: 1, ...Object(message) })).map(
      (message) => [message, undefined] as const,
    ),
  ),
  ...messagesOf(schemaOf('JSONRPCErrorResponse'), (message) => message).map(
    (message) => [message, 'tools/call'] as const,
  ),
];

for (const era of ['legacy', 'modern'] as const) {
  suite(`Every field of every message of a server, ${era}`, () => {
    const nothing = (): void => {};
    const sound = new SoundMessages(
      { schemas: sdk, isHttp: true, era: () => era, complain: nothing, warn: nothing },
      () => new CountedSlices(),
    );

    /** Takes a message as a transport does, and counts what is done with it. */
    async function take(json: string, method: string | undefined): Promise<void> {
      let work = 0;
      for (const step of readReceived(Buffer.from(json))) {
        if (typeof step === 'number') {
          assert.ok(step <= 200_000, `${step} units in one step of reading`);
          work += step;
          continue;
        }
        if (step.kind !== 'message') {
          assert.ok(step.kind === 'tooMuch' || step.text.length <= 16 * 1024);
          continue;
        }
        CountedSlices.most = 0;
        const taken = await sound.sound(step.message, 'method' in step.message ? undefined : method);
        if (!taken) {
          continue;
        }
        assert.ok(CountedSlices.most <= MOST_IN_A_STEP, `${CountedSlices.most} units in one turn`);
        const { values, characters } = weightOf(taken, { values: 1e9, characters: 1e9 });
        const most =
          'method' in taken && taken.method === 'sampling/createMessage'
            ? samplingBounds
            : 'result' in taken && 'resultType' in (taken.result as Json)
              ? samplingBounds
              : method !== undefined && isLightMethod(method)
                ? { values: lightBounds.values * 2, characters: lightBounds.characters * 2 }
                : plainBounds;
        assert.ok(
          values <= most.values && characters <= most.characters,
          `${values} values, ${characters} characters`,
        );
        assertHeld(taken);
      }
      assert.ok(work <= 200 * json.length + 1_000_000, `${work} units for ${json.length} characters`);
    }

    const isLightMethod = (method: string): boolean => /^(tools|prompts|resources)\//.test(method);

    /** What the caller gets is within its bounds. */
    function assertHeld(message: JSONRPCMessage): void {
      const outcome = asChecked<Json>()['~standard'].validate('result' in message ? message.result : {});
      const checked = 'value' in outcome ? outcome.value : {};
      const { entries = [], malformed = [] } = checked as Partial<SoundPage>;
      for (const { item, bytes } of entries) {
        assert.ok(bytes <= 2 * listBounds.entryBytes, `${bytes} bytes in one entry`);
        assert.ok(weightOf(item, { values: 1e9, characters: 1e9 }).values <= listBounds.entryValues);
      }
      assert.ok(malformed.length <= listBounds.leftOut);
      const { content } = checked;
      assert.ok(!Array.isArray(content) || content.length <= 10_001);
    }

    async function takeAll(attack: string, stride: number): Promise<void> {
      let place = 0;
      let count = 0;
      for (const [message, method] of every) {
        place += 1;
        if ((place + (era === 'legacy' ? 0 : 1)) % stride === 0) {
          count += 1;
          await take(
            message.replace(MARK, () => attack),
            method,
          );
        }
      }
      assert.ok(count >= 3 && count >= 600 / stride - 1, `${count} messages`);
    }

    for (const [what, attack] of Object.entries(attacks)) {
      test(`with ${what}`, () => takeAll(attack, attack.length > 10_000 ? strides.large : strides.small));
    }

    for (const [what, attack] of Object.entries(giants)) {
      test(`with ${what}, in some of them`, () => takeAll(attack, strides.giant));
    }
  });
}
