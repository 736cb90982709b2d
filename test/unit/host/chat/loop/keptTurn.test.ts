import assert from 'node:assert/strict';
import type { DoneCall, Round } from '../../../../../src/host/chat/loop/chatLoop.ts';
import {
  keptTurn,
  pastMessages,
  usedTools,
  type PastTurn,
} from '../../../../../src/host/chat/loop/keptTurn.ts';
import type { OfferedCall, OfferedTool } from '../../../../../src/host/chat/loop/toolOffer.ts';
import { requestMessage, turnInstructions } from '../../../../../src/host/chat/loop/turnPrompt.ts';
import { offered, result } from './scriptedLoop.ts';

const weather = { id: 'user weather', label: 'weather' };
const mail = { id: 'user mail', label: 'mail' };
const both = [weather, mail];

function own(kind: 'find' | 'call' | 'read'): OfferedTool {
  return { name: `mcpHost_${kind}`, description: '', inputSchema: {}, target: { kind } };
}
const all = [...offered, own('find'), own('call'), own('read')];

function done(target: OfferedCall | undefined, input: DoneCall['input'], text: string): DoneCall {
  return { id: 'id', name: 'any', input, target, result: result(text) };
}

const toWeather = offered[0]?.target;
const toMail = offered[1]?.target;

/** As the editor gives it back: through JSON. */
function past(rounds: readonly Round[], prompt = 'Before.', servers = both): PastTurn {
  return { prompt, kept: JSON.parse(JSON.stringify(keptTurn(rounds, servers))), answer: 'The answer.' };
}

function replayed(turns: readonly PastTurn[], now = all, servers = both, ids = new Set<string>()): string {
  return JSON.stringify(pastMessages(turns, now, servers, ids));
}

suite('What @mcp keeps of a request for the next one', () => {
  test('are its texts, calls and results, with ids that are unique in the chat', () => {
    const rounds = [
      { text: 'I look.', calls: [done(toWeather, { place: 'Bern' }, 'It rains.')] },
      { text: 'Rain.', calls: [] },
    ];
    const ids = new Set<string>();
    const [first, second] = pastMessages([past(rounds), past(rounds)], all, both, ids);
    assert.deepEqual(first, [
      { role: 'user', content: [{ kind: 'text', text: 'Before.' }] },
      {
        role: 'assistant',
        content: [
          { kind: 'text', text: 'I look.' },
          { kind: 'toolUse', id: 'id', name: 'weather__get_weather', input: { place: 'Bern' } },
        ],
      },
      {
        role: 'user',
        content: [
          {
            kind: 'toolResult',
            toolUseId: 'id',
            isError: false,
            content: [{ kind: 'text', text: 'It rains.' }],
          },
        ],
      },
      { role: 'assistant', content: [{ kind: 'text', text: 'Rain.' }] },
    ]);
    assert.equal(second?.length, 4);
    assert.equal(ids.size, 2);
  });

  test('is nothing of a server that you have withdrawn since, of a tool that is gone, or of a search', () => {
    const rounds = [
      {
        text: '',
        calls: [
          done(toWeather, {}, 'It rains.'),
          done(toMail, {}, 'It is sent.'),
          done({ kind: 'read' }, { server: 'weather', uri: 'a:b' }, 'A forecast.'),
          done({ kind: 'call' }, { server: 'weather', tool: 'get_weather', arguments: {} }, 'It snows.'),
          done({ kind: 'find' }, { query: 'x' }, 'Found tools.'),
          done(undefined, {}, 'There is no tool.'),
        ],
      },
    ];
    const kept = [past(rounds)];
    const now = replayed(kept);
    for (const text of ['It rains.', 'It is sent.', 'A forecast.', 'It snows.']) {
      assert.ok(now.includes(text), text);
    }
    assert.doesNotMatch(now, /Found tools|There is no tool/);
    const withdrawn = replayed(kept, all, [mail]);
    assert.doesNotMatch(withdrawn, /rains|forecast|snows/);
    assert.match(withdrawn, /It is sent\./);
    assert.doesNotMatch(replayed(kept, [own('read')]), /rains|sent|snows/);
  });

  test('has a call by search as a call of the tool, which is offered first then', () => {
    const call = done(
      { kind: 'call' },
      { server: 'mail', tool: 'send_mail', arguments: '{"to":"a"}' },
      'Sent.',
    );
    const kept = past([{ text: '', calls: [call] }]);
    assert.deepEqual(
      usedTools([kept]).map(({ serverId, tool }) => [serverId, tool]),
      [[mail.id, 'send_mail']],
    );
    assert.match(replayed([kept]), /"name":"mail__send_mail","input":\{"to":"a"\}/);
  });

  test('is bounded: results are cut, and the latest rounds stay', () => {
    const round = (name: string) => ({
      text: name,
      calls: [done(toWeather, {}, name + 'x'.repeat(1_000_000))],
    });
    const kept = keptTurn(
      Array.from({ length: 50 }, (_, index) => round(`round ${index} `)),
      both,
    );
    const size = JSON.stringify(kept).length;
    assert.ok(size > 50_000 && size <= 110_000, String(size));
    assert.equal(kept.rounds.at(-1)?.text, 'round 49 ');
    const huge = { text: '', calls: [done(toWeather, { text: 'x'.repeat(150_000) }, 'Done.')] };
    assert.ok(JSON.stringify(keptTurn([huge], both)).length < 200);
  });

  test('is ignored if another version kept it: then the answer counts', () => {
    const broken: readonly unknown[] = [
      undefined,
      7,
      { version: 2, rounds: [] },
      { version: 1, rounds: [{ text: 'a' }] },
      { version: 1, rounds: [{ text: 'a', calls: [{ id: 'x' }] }] },
      {
        version: 1,
        rounds: [{ text: 'a', calls: [{ id: 'x', result: '', input: {}, isError: false, target: {} }] }],
      },
    ];
    for (const kept of broken) {
      const text = replayed([{ prompt: 'Before.', kept, answer: 'The answer.' }]);
      assert.match(text, /Before\.".*The answer\."/);
    }
  });

  test('are at most twenty requests', () => {
    const turns = Array.from({ length: 30 }, (_, index) => past([], `request ${index}.`));
    const text = replayed(turns);
    assert.ok(!text.includes('request 9.') && text.includes('request 10.') && text.includes('request 29.'));
  });
});

suite('The context that @mcp gives a model', () => {
  test('has the servers with the instructions that you approved, cut', () => {
    const servers = [
      { label: 'weather', instructions: `Ask for a place. ${'x'.repeat(50_000)}` },
      { label: 'mail', instructions: undefined },
    ];
    const text = turnInstructions(servers, offered);
    assert.match(text, /The servers: "weather", "mail"\./);
    assert.match(text, /<server_instructions name="weather">\nAsk for a place\./);
    assert.ok(text.length < 12_000 && !text.includes('mcpHost_findTools'));
    assert.match(turnInstructions(servers, all), /search with mcpHost_findTools/);
  });

  test('has what you attached, within a limit, before your text', () => {
    const long = { name: 'a "b"', content: [{ kind: 'text', text: 'y'.repeat(500_000) }] } as const;
    const image = { name: 'c', content: [{ kind: 'image', mimeType: 'image/png', data: 'AA' }] } as const;
    const { content } = requestMessage('What is it?', [long, image]);
    assert.deepEqual(
      content.map(({ kind }) => kind),
      ['text', 'text', 'image', 'text'],
    );
    assert.match(JSON.stringify(content[0]), /attachment name=/);
    assert.ok(JSON.stringify(content).length < 110_000);
    assert.deepEqual(content.at(-1), { kind: 'text', text: 'What is it?' });
  });
});
