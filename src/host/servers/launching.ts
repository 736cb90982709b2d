import { CancellationError } from '../../base/cancellation.ts';
import { readEnvFile } from '../launch/envFile.ts';
import type { ServerDefinition } from '../config/serverDefinition.ts';
import type { Places } from '../folders/workingDirectory.ts';
import { HostError } from '../errors/hostError.ts';
import type { HostPorts } from './hostPorts.ts';
import type { ResolvedLaunch } from '../launch/resolvedLaunch.ts';
import { type ReadyLaunch, notAllowed, readyLaunch, secretsOf } from '../launch/readyLaunch.ts';
import { resolveLaunch, withInputs, type ReadEnvFile } from '../launch/resolveLaunch.ts';

type LaunchingPorts = Pick<HostPorts, 'trust' | 'approval' | 'roots' | 'inputs' | 'env' | 'readEnvFile'>;

/** A launch that may start now. */
export interface AdmittedLaunch {
  readonly fingerprint: string;
  readonly ready: ReadyLaunch;
}

/**
 * The one way from a definition to what runs: it is resolved once, compared with what the person allowed, completed
 * with its inputs, compared again, and started.
 */
export class Launching {
  readonly #ports: LaunchingPorts;
  readonly #places: () => Places;

  constructor(ports: LaunchingPorts, places: () => Places) {
    this.#ports = ports;
    this.#places = places;
  }

  /** What would run at this moment. In a workspace that is not trusted neither the environment nor a file is read. */
  resolve(definition: ServerDefinition): ResolvedLaunch {
    const { trust, env = process.env } = this.#ports;
    return resolveLaunch(definition, {
      ...this.#places(),
      env: trust.isTrusted ? env : {},
      readEnvFile: this.#readEnvFile,
    });
  }

  /** Whether exactly that is what the person has allowed. */
  allows(launch: ResolvedLaunch): boolean {
    const { trust, approval } = this.#ports;
    return trust.isTrusted && approval.answerFor(launch) === 'allow';
  }

  /**
   * The same launch with its inputs, for which the person may be asked. `secrets` gets each value that must appear
   * in no log and no failure.
   *
   * @throws HostError `notAllowed` when it is not what was allowed, or that says what is missing; CancellationError.
   */
  async admit(
    launch: ResolvedLaunch,
    secrets: Pick<Set<string>, 'add'>,
    signal: AbortSignal,
  ): Promise<AdmittedLaunch> {
    const { roots, approval } = this.#ports;
    // What the server is not told of at `initialized` would be a change afterwards.
    await roots.check(launch.definition);
    const inputs = await this.#inputsOf(launch, signal);
    const whole = inputs.size === 0 ? launch : withInputs(launch, inputs, this.#readEnvFile);
    secretsOf(whole).forEach((value) => secrets.add(value));
    const ready = readyLaunch(whole);
    ready.secrets.forEach((value) => secrets.add(value));
    const fingerprint = await approval.admit(launch, whole);
    if (fingerprint === undefined) {
      throw notAllowed();
    }
    return { fingerprint, ready };
  }

  /** The values of the inputs that the launch refers to, one question after the other. */
  async #inputsOf(
    { definition, meanings }: ResolvedLaunch,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, string>> {
    const values = new Map<string, string>();
    const used = new Set(
      Object.values(meanings).map((meaning) => (meaning.kind === 'input' ? meaning.id : undefined)),
    );
    for (const declaration of definition.inputs.filter(({ id }) => used.has(id))) {
      values.set(declaration.id, await this.#ports.inputs.valueOf(declaration, definition.origin, signal));
      if (signal.aborted) {
        throw new CancellationError();
      }
    }
    return values;
  }

  readonly #readEnvFile: ReadEnvFile = (file) => {
    if (!this.#ports.trust.isTrusted) {
      throw new HostError('invalidDefinition', 'its envFile is not read in a workspace that is not trusted');
    }
    return (this.#ports.readEnvFile ?? readEnvFile)(file);
  };
}
