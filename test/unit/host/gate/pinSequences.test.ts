import assert from 'node:assert/strict';
import type { Tool } from '@modelcontextprotocol/client';
import * as fc from 'fast-check';
import { isOffered } from '../../../../src/host/tools/hostTool.ts';
import { withAccepted } from '../../../../src/host/gate/pins/serverChanges.ts';
import { hasNoPins, noPins, withNew, type Pins } from '../../../../src/host/gate/pins/pins.ts';
import type { ServerChanges } from '../../../../src/host/gate/pins/serverChanges.ts';
import { byKey, serverView } from '../../../../src/host/gate/serverTools.ts';
import { listedItem } from '../../../../src/host/gate/pins/itemFingerprint.ts';

type Step =
  | {
      readonly kind: 'list';
      readonly revision: string;
      readonly tools: readonly Tool[];
      readonly instructions: string;
    }
  | { readonly kind: 'accept'; readonly which: number }
  | { readonly kind: 'lose'; readonly revisions: readonly string[] };

const revisions = ['one', 'two'];
const tool = fc
  .record({
    name: fc.constantFrom('a', 'b', 'c'),
    description: fc.constantFrom('First.', 'Second.'),
    property: fc.constantFrom('x', 'y'),
    comment: fc.constantFrom(undefined, 'Some.', 'Other.'),
  })
  .map(({ name, description, property, comment }): Tool => {
    const schema = { type: 'object' as const, properties: { [property]: { description } } };
    return { name, description, inputSchema: { ...schema, ...(comment && { $comment: comment }) } };
  });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('list' as const),
      revision: fc.constantFrom(...revisions),
      tools: fc.array(tool, { maxLength: 3 }),
      instructions: fc.constantFrom('Do.', 'Do more.'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('accept' as const), which: fc.nat(3) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('lose' as const), revisions: fc.subarray(revisions) }),
  },
);

/** A server and its observers, as `HostTools` brings them together; what was approved is kept apart. */
class Model {
  readonly #pins = new Map<string, Pins>();
  /** What the first list had, and all that was accepted since. */
  readonly #approved = new Set<string>();
  /** What was shown to be accepted, the latest last; an older one may be accepted as well. */
  readonly #shown: { readonly revision: string; readonly changes: ServerChanges }[] = [];
  #wasPinned = false;

  take(step: Step): void {
    switch (step.kind) {
      case 'list':
        this.#list(step);
        break;
      case 'accept':
        this.#accept(step.which);
        break;
      case 'lose':
        step.revisions.forEach((revision) => this.#pins.delete(revision));
        break;
    }
  }

  #list({ revision, tools, instructions }: Step & { kind: 'list' }): void {
    const named = byKey(tools, ({ name }) => name);
    const listed = new Map(
      [...named].map(
        ([name, one]) => [name, listedItem('tools', one) ?? assert.fail('nothing to compare')] as const,
      ),
    );
    const before = this.#pins.get(revision) ?? noPins;
    const others = [...this.#pins].flatMap(([other, pins]) => (other === revision ? [] : pins));
    const isLost = this.#wasPinned && hasNoPins(before) && others.every(({ tools: shown }) => !shown);
    const pins = withNew(isLost ? { ...before, isLost } : before, { tools: listed, instructions }, others);
    if (!this.#wasPinned) {
      this.#approved.add(instructions);
      listed.forEach(({ fingerprint }) => this.#approved.add(fingerprint.whole));
    }
    this.#wasPinned = true;
    this.#pins.set(revision, pins);

    const decided = { isTrusted: false, holdsNew: true, isExposed: () => true };
    const context = { serverId: 'server', ...decided, lacksTasks: () => false };
    const none = new Map<string, never>();
    const view = serverView(
      {
        named: { tools: named, prompts: none, templates: none },
        resources: none,
        listing: { tools: listed, instructions },
        pins,
      },
      context,
    );
    for (const one of view.tools.filter(isOffered)) {
      assert.ok(
        this.#approved.has(listed.get(one.tool.name)?.fingerprint.whole ?? ''),
        `${one.tool.name} is offered`,
      );
      assert.doesNotMatch(JSON.stringify(one.offered), /\$comment/);
    }
    const given = pins.instructions?.text;
    assert.ok(given === undefined || this.#approved.has(given), `'${given}' is given`);
    // What is held back can be seen, and nothing else is.
    const heldBack = view.tools.filter((one) => !isOffered(one)).map((one) => one.tool.name);
    assert.deepEqual(view.changes?.tools.map(({ name }) => name) ?? [], heldBack);
    if (view.changes) {
      this.#shown.push({ revision, changes: view.changes });
    }
  }

  #accept(which: number): void {
    const shown = this.#shown.at(-1 - which);
    const pins = shown && this.#pins.get(shown.revision);
    if (shown && pins) {
      this.#pins.set(
        shown.revision,
        withAccepted(pins, shown.changes, () => true),
      );
      shown.changes.tools.forEach(({ now }) => {
        this.#approved.add(listedItem('tools', now as unknown as Tool)?.fingerprint.whole ?? '');
      });
      if (shown.changes.instructions?.now !== undefined) {
        this.#approved.add(shown.changes.instructions.now);
      }
    }
  }
}

suite('Whatever a server lists, and whatever is lost', () => {
  test('nothing reaches a model but what was in the first list, or was accepted', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
        const model = new Model();
        steps.forEach((one) => model.take(one));
      }),
      { numRuns: 2_000 },
    );
  });
});
