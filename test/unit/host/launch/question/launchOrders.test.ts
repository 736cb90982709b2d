import assert from 'node:assert/strict';
import path from 'node:path';
import * as fc from 'fast-check';
import { InstallationKey } from '../../../../../src/host/launch/installationKey.ts';
import { LaunchApproval } from '../../../../../src/host/launch/question/launchApproval.ts';
import { HostError } from '../../../../../src/host/errors/hostError.ts';
import { Launching } from '../../../../../src/host/servers/launching.ts';
import type { ResolvedLaunch } from '../../../../../src/host/launch/resolvedLaunch.ts';
import { ConsentBed } from '../../../support/consentBed.ts';
import { stdioServer } from '../../../support/definitions.ts';
import { runs } from '../../../support/thoroughness.ts';

/** What an attacker, or the user, writes between any two steps. */
type Write =
  | { readonly what: 'environment' | 'input'; readonly value: string }
  | { readonly what: 'file'; readonly value: Readonly<Record<string, string>> };
type Step = { readonly kind: 'start' } | { readonly kind: 'allow' } | { readonly kind: 'write' };

const definition = stdioServer(['${env:A}', '--key=${input:token}'], {
  command: 'server',
  envFile: '/files/.env',
  inputs: [{ type: 'promptString', id: 'token', password: true }],
});

/** A host whose world changes whenever something of it is looked at. */
class ChangingWorld {
  readonly approval: LaunchApproval;
  readonly launching: Launching;
  readonly env: Record<string, string> = { A: 'a' };
  readonly writes: Write[];
  file: Readonly<Record<string, string>> = {};
  input = 'x';
  /** What the last look at the file gave, and how often it was looked at. */
  read: Readonly<Record<string, string>> = {};
  reads = 0;

  constructor(bed: ConsentBed, writes: readonly Write[]) {
    const window = bed.open();
    this.writes = [...writes];
    const key = new InstallationKey(path.join(bed.directory, 'launch-key'));
    this.approval = new LaunchApproval(window.decisions, window.roots, key);
    this.launching = new Launching(
      {
        trust: { isTrusted: true, onDidGrant: () => ({ dispose: () => undefined }) },
        approval: this.approval,
        roots: window.roots,
        inputs: {
          valueOf: () => {
            const value = this.input;
            this.write();
            return Promise.resolve(value);
          },
        },
        env: this.env,
        readEnvFile: ({ path: realPath }) => {
          this.read = this.file;
          this.reads += 1;
          this.write();
          return { variables: this.read, realPath };
        },
      },
      () => ({ folders: [], home: '/home/me' }),
    );
  }

  write(): void {
    const write = this.writes.shift();
    switch (write?.what) {
      case 'environment':
        this.env['A'] = write.value;
        break;
      case 'input':
        this.input = write.value;
        break;
      case 'file':
        this.file = write.value;
        break;
      case undefined:
    }
  }
}

suite('In whatever order files, the environment and inputs are written', () => {
  const value = fc.constantFrom('a', 'b');
  const write: fc.Arbitrary<Write> = fc.oneof(
    { weight: 1, arbitrary: fc.record({ what: fc.constant('environment' as const), value }) },
    { weight: 3, arbitrary: fc.record({ what: fc.constant('input' as const), value }) },
    {
      weight: 2,
      arbitrary: fc.record({
        what: fc.constant('file' as const),
        value: fc.constantFrom({}, {}, { KEY: 'a' }, { KEY: 'b' }, { NODE_OPTIONS: 'a' }),
      }),
    },
  );
  const step: fc.Arbitrary<Step> = fc.record({
    kind: fc.constantFrom('start' as const, 'start' as const, 'allow' as const, 'write' as const),
  });

  test('what runs was read once, and is what the user was asked about', async () => {
    let started = 0;
    let refused = 0;
    let otherInputs = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 8, maxLength: 24 }),
        fc.array(write, { minLength: 8, maxLength: 32 }),
        async (steps, writes) => {
          const bed = new ConsentBed();
          try {
            const world = new ChangingWorld(bed, writes);
            /** By what was shown: the input that belongs to the answer, once it is known. */
            const allowed = new Map<string, string | undefined>();
            const unseen = new Map<string, string>();
            for (const { kind } of steps) {
              if (kind === 'write') {
                world.write();
                continue;
              }
              const before = world.reads;
              const launch = world.launching.resolve(definition);
              assert.equal(world.reads, before + 1);
              const shown = shownOf(launch);
              if (kind === 'allow') {
                const question = world.approval.question({ launch, label: 'one', workspace: [] });
                world.write();
                await world.approval.record(question, { answer: 'allow', roots: [] });
                allowed.set(shown, unseen.get(shown) ?? allowed.get(shown));
                unseen.delete(shown);
                continue;
              }
              const { read } = world;
              const run = await start(world, launch);
              assert.equal(world.reads, before + 1, 'one look at each start');
              if (run.kind !== 'runs') {
                refused += 1;
                const bound = allowed.get(shown);
                assert.equal(
                  run.kind === 'otherInput',
                  allowed.has(shown) && !unseen.has(shown),
                  'what was allowed starts, or asks about its input',
                );
                if (run.kind === 'otherInput') {
                  otherInputs += 1;
                  assert.ok(bound !== undefined && bound !== run.input);
                  unseen.set(shown, run.input);
                }
                continue;
              }
              started += 1;
              assert.ok(allowed.has(shown), 'nobody was asked about that');
              assert.equal(run.argument, JSON.parse(shown)[0]);
              assert.equal(run.env['NODE_OPTIONS'], read['NODE_OPTIONS']);
              assert.equal(run.env['KEY'], read['KEY']);
              assert.equal(allowed.get(shown) ?? run.input, run.input, 'another input than was allowed');
              allowed.set(shown, run.input);
            }
          } finally {
            await bed.close();
          }
        },
      ),
      { numRuns: runs(300) },
    );
    const counts = { started, refused, otherInputs };
    assert.ok(
      Object.values(counts).every((count) => count > 4),
      JSON.stringify(counts),
    );
  });

  type Run =
    | { readonly kind: 'notAllowed' }
    | { readonly kind: 'otherInput'; readonly input: string }
    | {
        readonly kind: 'runs';
        readonly argument: string | undefined;
        readonly input: string;
        readonly env: Readonly<Record<string, string>>;
      };

  async function start(world: ChangingWorld, launch: ResolvedLaunch): Promise<Run> {
    if (!world.launching.allows(launch)) {
      return { kind: 'notAllowed' };
    }
    const { input } = world;
    try {
      const { ready } = await world.launching.admit(launch, new Set(), new AbortController().signal);
      assert.ok(ready.definition.type === 'stdio');
      const [argument, key] = ready.definition.args;
      assert.equal(key, `--key=${input}`);
      return { kind: 'runs', argument, input, env: ready.definition.env };
    } catch (error) {
      assert.ok(error instanceof HostError && error.code === 'notAllowed', String(error));
      return { kind: 'otherInput', input };
    }
  }

  /** What the question says of a launch. */
  function shownOf({ meanings, envFile }: ResolvedLaunch): string {
    const meaning = meanings['${env:A}'];
    return JSON.stringify([
      meaning?.kind === 'environment' ? meaning.value : undefined,
      Object.keys(envFile ?? {}).toSorted(),
      envFile?.['NODE_OPTIONS'],
    ]);
  }
});
