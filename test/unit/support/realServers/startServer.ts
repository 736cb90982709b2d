import type { ServerDefinition } from '../../../../src/host/config/serverDefinition.ts';
import type { ConnectionBed } from '../connectionBed.ts';
import { httpServer } from '../definitions.ts';
import { ListeningProgram, onStdio } from '../program.ts';
import { until } from '../until.ts';
import type { Sign, Way } from './realServer.ts';

/** Starts what one way leads to, or for stdio says how a connection does; the bed's logger has to trace. */
export async function startServer(bed: ConnectionBed, { program, reach }: Way): Promise<StartedServer> {
  if (reach.type === 'stdio') {
    return new StartedServer(bed, onStdio(bed, program), undefined);
  }
  const listening = await ListeningProgram.start(bed, program);
  const definition = httpServer(listening.origin + reach.path, { type: reach.type });
  return new StartedServer(bed, definition, listening);
}

export class StartedServer {
  readonly definition: ServerDefinition;
  readonly #bed: ConnectionBed;
  readonly #program: ListeningProgram | undefined;

  constructor(bed: ConnectionBed, definition: ServerDefinition, program: ListeningProgram | undefined) {
    this.definition = definition;
    this.#bed = bed;
    this.#program = program;
  }

  /** Resolves as soon as there is a sign. What a stdio server prints is in its connection's log. */
  async untilSeen(sign: Sign): Promise<void> {
    if (sign === 'exits') {
      await this.#program?.exited;
    } else if ('isSent' in sign) {
      await this.#untilLogged('trace: → ', `"method":"${sign.isSent}"`);
    } else {
      await (this.#program?.untilPrinted(sign.prints) ?? this.#untilLogged('[stderr] ', sign.prints));
    }
  }

  /** Resolves as soon as no request to it is open. */
  async untilIdle(): Promise<void> {
    await this.#program?.untilIdle();
  }

  #untilLogged(...parts: readonly string[]): Promise<void> {
    const { logger } = this.#bed;
    return until(
      () => logger.lines.some((line) => parts.every((part) => line.includes(part))),
      `there is ${parts.join('')} in the log`,
      logger.onDidLog,
    );
  }
}
