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
      await this.#untilLine(
        (line) => line.startsWith('trace: → ') && line.includes(`"${sign.isSent}"`),
        sign.isSent,
      );
    } else {
      await (this.#program?.untilPrinted(sign.prints) ?? this.untilLogged(`[stderr] ${sign.prints}`));
    }
  }

  /** Ends it at once; a stdio server by the process that its connection runs. */
  kill(pid: number | undefined): void {
    if (pid === undefined) {
      this.#program?.kill();
    } else {
      process.kill(pid, 'SIGKILL');
    }
  }

  /** Resolves as soon as no request to it is open. */
  async untilIdle(): Promise<void> {
    await this.#program?.untilIdle();
  }

  /** Resolves as soon as the connection's log says so. */
  untilLogged(text: string): Promise<void> {
    return this.#untilLine((line) => !line.startsWith('trace: ') && line.includes(text), text);
  }

  #untilLine(isIt: (line: string) => boolean, what: string): Promise<void> {
    const { logger } = this.#bed;
    return until(() => logger.lines.some(isIt), `there is '${what}' in the log`, logger.onDidLog);
  }
}
