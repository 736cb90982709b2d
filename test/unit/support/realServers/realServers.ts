import { everything202503, everything202506, everything2024 } from './earlyEverything.ts';
import { everything202511 } from './everything202511.ts';
import { everything202607 } from './everything202607.ts';
import type { RealServer } from './realServer.ts';

/** One server for each revision of the protocol, over every transport that it speaks. */
export const realServers: readonly RealServer[] = [
  everything2024,
  everything202503,
  everything202506,
  everything202511,
  everything202607,
];
