import { checkSocket } from '../launch/socketCheck.ts';
import { CancellationError } from '../../base/lifetime/cancellation.ts';
import type { InputSource } from '../config/inputSource.ts';
import { wordsOf, type AnyLaunch, type ServerDefinition } from '../config/serverDefinition.ts';
import { refusalBy, type RulesSource } from '../config/serverRules.ts';
import { HostError } from '../errors/hostError.ts';
import { pathOf, visibleFolders, type SharedRoot } from '../folders/sharedRoot.ts';
import type { Places } from '../config/workingDirectory.ts';
import { readEnvFile } from '../launch/envFile.ts';
import type { LaunchApproval } from '../launch/question/launchApproval.ts';
import { launchPaths, launchPathText, type LaunchPath } from '../launch/question/launchPaths.ts';
import { type ReadyLaunch, notAllowed, readyLaunch, secretsOf } from '../launch/readyLaunch.ts';
import { filled, type ResolvedLaunch } from '../launch/resolvedLaunch.ts';
import { resolveLaunch, withInputs, type ReadEnvFile } from '../launch/resolveLaunch.ts';
import type { LaunchQuestion } from '../launch/question/launchQuestion.ts';
import type { RootsConsent } from '../roots/rootsConsent.ts';
import type { WorkspaceTrust } from './admission.ts';

export interface LaunchingPorts {
  readonly trust: WorkspaceTrust;
  readonly approval: LaunchApproval;
  readonly roots: RootsConsent;
  readonly inputs: InputSource;
  /** What the editor's settings let run; without it, everything. */
  readonly rules?: RulesSource;
  /** Where variables are looked up; without it, the environment of this process. */
  readonly env?: NodeJS.ProcessEnv;
  /** Reads an `envFile`; without it, from the disk. */
  readonly readEnvFile?: ReadEnvFile;
}

/** A launch that may start now. */
interface AdmittedLaunch {
  readonly fingerprint: string;
  /** With its inputs. */
  readonly whole: ResolvedLaunch;
  readonly ready: ReadyLaunch;
}

/**
 * The only way from a definition to a process: it is resolved once, compared with what you allowed, completed with its
 * inputs, compared again, and started.
 */
export class Launching {
  readonly #ports: LaunchingPorts;
  readonly #places: () => Places;

  constructor(ports: LaunchingPorts, places: () => Places) {
    this.#ports = ports;
    this.#places = places;
  }

  /** What would run now. In a workspace that is not trusted, neither the environment nor a file is read. */
  resolve(definition: ServerDefinition): ResolvedLaunch {
    const { trust, env = process.env } = this.#ports;
    return resolveLaunch(definition, {
      ...this.#places(),
      env: trust.isTrusted ? env : {},
      readEnvFile: this.#readEnvFile,
    });
  }

  /** Whether you have allowed exactly this launch. */
  allows(launch: ResolvedLaunch): boolean {
    return this.#ports.approval.answerFor(launch) === 'allow';
  }

  /** Why the editor's settings don't let this launch run; undefined if they do. */
  refusalOf(launch: ResolvedLaunch): HostError | undefined {
    const { rules } = this.#ports;
    const { name, url }: AnyLaunch & Pick<ServerDefinition, 'name'> = launch.definition;
    if (url !== undefined) {
      return rules && refusalBy(rules.now, { name, written: url, filled: filled(launch, url) });
    }
    const written = wordsOf(launch.definition);
    const texts = written.map((text) => filled(launch, text));
    const whole = texts.every((text) => text !== undefined) ? texts : undefined;
    return rules && refusalBy(rules.now, { name, written, filled: whole });
  }

  /**
   * Completes a launch with its inputs, which you may be asked for. Each value that must appear in no log and no failure
   * is added to `secrets`.
   *
   * @throws HostError `notAllowed` when it is not the launch that was allowed, `forbidden` when the editor's settings
   * don't let it run, or that says what is missing; CancellationError.
   */
  async admit(
    launch: ResolvedLaunch,
    secrets: Pick<Set<string>, 'add'>,
    signal: AbortSignal,
  ): Promise<AdmittedLaunch> {
    const { roots, approval } = this.#ports;
    // First, because later it would be a change that the server has to be notified of.
    await roots.check(launch.definition);
    const inputs = await this.#inputsOf(launch, signal);
    const whole = inputs.size === 0 ? launch : withInputs(launch, inputs, this.#readEnvFile);
    secretsOf(whole).forEach((value) => secrets.add(value));
    const ready = readyLaunch(whole);
    ready.secrets.forEach((value) => secrets.add(value));
    const refusal = this.refusalOf(whole);
    if (refusal) {
      throw refusal;
    }
    checkSocket(ready.definition, whole.workspace);
    const fingerprint = await approval.admit(launch, whole);
    if (fingerprint === undefined) {
      throw notAllowed();
    }
    return { fingerprint, whole, ready };
  }

  /** The question before a launch; `label` is the name of the server. */
  questionAbout(launch: ResolvedLaunch, label: string): LaunchQuestion {
    return this.#ports.approval.question({
      launch,
      label,
      workspace: this.#foldersOnDisk,
      tells: this.pathsOf(launch).map(launchPathText),
    });
  }

  /** The folders of the workspace that a launch reveals to its server. */
  pathsOf(launch: ResolvedLaunch): readonly LaunchPath[] {
    return launchPaths(launch, this.#foldersOnDisk.map(pathOf));
  }

  get #foldersOnDisk(): readonly SharedRoot[] {
    return visibleFolders({}, this.#places().folders).onDisk;
  }

  /** The values of the inputs that the launch refers to; questions are asked one after another. */
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
