import assert from 'node:assert/strict';
import type { ServerConnection } from '../../../../src/host/connection/serverConnection.ts';
import { contentSection } from '../../../../src/host/documents/contentSection.ts';
import { unreadableIn } from '../../../../src/host/results/unreadableContent.ts';
import { serveOverHttp } from '../../../fixtures/servers/peer/overHttp.ts';
import { MANY, oddScript, type Era, type Offer } from '../../../fixtures/servers/oddScript.ts';
import { ConnectionBed, namesOf, receivedBy } from '../../support/connectionBed.ts';
import { httpServer, oddServer } from '../../support/definitions.ts';
import { Turns } from '../../support/turns.ts';
import { until } from '../../support/until.ts';
import { perTest } from '../../support/perTest.ts';

const eras = ['legacy', 'modern'] as const;

suite('What an odd server lists and answers', () => {
  let bed: ConnectionBed;
  perTest(() => (bed = new ConnectionBed()));

  async function started(
    era: Era,
    offer: Offer,
    transport: 'stdio' | 'HTTP',
    switches: readonly string[] = [],
  ): Promise<ServerConnection> {
    const definition =
      transport === 'stdio'
        ? oddServer(era, offer, switches)
        : httpServer(bed.endLater(await serveOverHttp(oddScript(era, offer))).url);
    const connection = bed.connection(definition);
    await connection.start();
    return connection;
  }

  for (const era of eras) {
    for (const transport of ['stdio', 'HTTP'] as const) {
      const where = `${era}, over ${transport}`;
      const isModernHttp = era === 'modern' && transport === 'HTTP';

      test(`valid items are kept, and invalid ones are logged (${where})`, async () => {
        const { catalogue } = await started(era, 'malformed', transport);
        assert.deepEqual(namesOf(catalogue?.tools), [
          'mixed',
          'routed',
          'tasked',
          'rerouted',
          'received',
          'measured',
          ...(isModernHttp ? [] : ['wrongHeader']),
        ]);
        assert.deepEqual(
          catalogue?.malformed('tools').map(({ name, place, reason }) => [name, place, reason]),
          [
            ['titled', 2, '`title` must be a string, not null'],
            ['untyped', 3, '`inputSchema.type` is missing'],
            [undefined, 4, '`name` is missing'],
            [undefined, 5, 'it must be an object, not a string'],
            ...(isModernHttp
              ? [['wrongHeader', 11, '`x-mcp-header` of the schema itself is not allowed there']]
              : []),
            ['mixed', 13, 'an earlier one has the same name'],
          ],
        );
        assert.deepEqual(namesOf(catalogue?.prompts), ['greet']);
        assert.deepEqual(catalogue?.malformed('prompts'), [
          { name: undefined, place: 2, reason: '`name` must be a string, not a number' },
        ]);
        assert.deepEqual(namesOf(catalogue?.resources), ['note']);
        assert.deepEqual(namesOf(catalogue?.resourceTemplates), ['any']);
        assert.deepEqual(catalogue?.malformed('resources'), [
          { name: 'sized', place: 2, reason: '`size` must be a number, not a string' },
          { name: 'none', place: 2, reason: '`uriTemplate` is missing' },
        ]);
        assert.ok(bed.logger.has("'untyped' is left out: `inputSchema.type` is missing"));
        assert.deepEqual(catalogue?.cuts, []);
      });

      test(`a call's result arrives with content of unknown types (${where})`, async () => {
        const connection = await started(era, 'malformed', transport);
        const { content } = await connection.callTool('mixed', {});
        assert.deepEqual(
          content.map((block) => unreadableIn(block)?.type ?? (block.type === 'text' && block.text)),
          ['before', 'video', 'image', 'image', 'text', 'after'],
        );
        const [, video, noBase64, noType, number] = content.map((block) => unreadableIn(block));
        assert.deepEqual(video?.block, { type: 'video', data: 'AAAA', mimeType: 'video/mp4' });
        assert.equal(video?.fault, undefined);
        assert.equal(noBase64?.fault, 'the data is not valid base64');
        assert.equal(noType?.fault, 'its MIME type is not one of image');
        assert.equal(number?.fault, '`text` must be a string, not a number');
        const shown = content.map((block) => contentSection(block, { images: [], audio: [] }));
        assert.equal(shown[1]?.title, 'Content of the unknown type "video"');
        assert.match(shown[2]?.text ?? '', /^Error: the data is not valid base64 \(image\/png\)$/);
        assert.match(shown[4]?.text ?? '', /^Error: `text` must be a string.*"text": 5/s);
      });

      test(`structured content is held against the schema that was listed (${where})`, async () => {
        const connection = await started(era, 'malformed', transport);
        await assert.rejects(connection.callTool('measured', {}), /does not match the tool's output schema/);
      });

      test(`a prompt and a resource arrive without what cannot be read (${where})`, async () => {
        const connection = await started(era, 'malformed', transport);
        const { messages } = await connection.getPrompt('greet', {});
        assert.deepEqual(
          messages.map(({ content }) => unreadableIn(content)?.title ?? content.type),
          ['text', 'Content of the unknown type "video"', 'Malformed content of the type none'],
        );
        const { contents } = await connection.readResource('test:///note');
        assert.deepEqual(contents, [{ uri: 'test:///note', text: 'A note.' }]);
        assert.ok(bed.logger.has('A part of a resource cannot be read: `blob` is not valid'));
      });
    }

    test(`a list without end is read to the bound of its pages (${era})`, async () => {
      const connection = await started(era, 'endless', 'stdio');
      assert.equal(connection.catalogue?.tools.length, 2_000);
      assert.deepEqual(connection.catalogue.cuts, [
        'its list of tools is incomplete: only its first 2,000 pages are read',
      ]);
      assert.ok(bed.logger.has('warn: Its list of tools is incomplete'));
    });

    for (const [offer, count] of [
      ['repeating', 200],
      ['cycle', 300],
    ] as const) {
      test(`pages that lead back to where they were end the list: ${offer} (${era})`, async () => {
        const connection = await started(era, offer, 'HTTP');
        assert.equal(connection.catalogue?.tools.length, count);
        assert.match(connection.catalogue.cuts.join(), /lead back/);
      });
    }

    test(`a hundred thousand tools leave the process time for all else (${era})`, async () => {
      const turns = new Turns();
      const connection = await started(era, 'many', 'stdio');
      turns.end('the list');
      assert.ok(MANY > 100_000);
      assert.equal(connection.catalogue?.tools.length, 100_000);
      assert.deepEqual(connection.catalogue.cuts, [
        'its list of tools is incomplete: only its first 100,000 items are read',
      ]);
    });

    test(`a cursor of a list that has changed costs a new start from the first page (${era})`, async () => {
      const connection = await started(era, 'movedOn', 'HTTP');
      assert.deepEqual(namesOf(connection.catalogue?.tools), ['list2', 'rest']);
    });

    test(`ten thousand changes in a second cost a few lists, and delay no other server (${era})`, async () => {
      const flooded = await started(era, 'fresh', 'stdio', ['--flood=10000']);
      const other = await started(era, 'malformed', 'HTTP');
      const before = (await receivedBy(flooded))['tools/list'] ?? 0;
      const lists = flooded.catalogue?.tools;
      const flood = flooded.callTool('x', {});
      for (let calls = 0; calls < 50; calls += 1) {
        await other.callTool('routed', { region: 'north' }).catch(() => {});
        await other.callTool('received', {});
      }
      await flood;
      await until(
        () => flooded.catalogue?.tools !== lists,
        'the list is read again',
        flooded.onDidChangeCatalogue,
      );
      const cost = ((await receivedBy(flooded))['tools/list'] ?? 0) - before;
      assert.ok(cost >= 1 && cost <= 20, `${cost} lists`);
    });
  }

  test('arguments are repeated in the headers that a tool declares, and a tool that expects others is listed again', async () => {
    const server = bed.endLater(await serveOverHttp(oddScript('modern', 'malformed')));
    const connection = bed.connection(httpServer(server.url));
    await connection.start();
    const region = { region: 'north' };
    await connection.callTool('routed', region);
    assert.equal(server.headers.at(-1)?.['mcp-param-region'], 'north');
    await connection.callTool('rerouted', {});
    const before = server.peer.counts();
    await assert.rejects(connection.callTool('routed', region), { code: 'notTaken' });
    assert.equal(server.peer.of('tools/list').length, (before['tools/list'] ?? 0) + 1);
    await connection.callTool('routed', region);
    assert.equal(server.headers.at(-1)?.['mcp-param-place'], 'north');
    assert.equal(server.peer.of('tools/call').length, (before['tools/call'] ?? 0) + 2);
  });

  test('a stream of changes that breaks off is opened again, and the lists are read again', async () => {
    const server = bed.endLater(await serveOverHttp(oddScript('modern', 'fresh')));
    const connection = bed.connection(httpServer(server.url));
    await connection.start();
    assert.equal(server.streams(), 1);
    assert.deepEqual(namesOf(connection.catalogue?.tools), ['list1']);
    const isListed = (name: string): Promise<void> =>
      until(
        () => namesOf(connection.catalogue?.tools).includes(name),
        `${name} is listed`,
        connection.onDidChangeCatalogue,
      );
    server.breakStreams();
    await isListed('list2');
    assert.equal(server.streams(), 1);
    server.peer.tell('notifications/tools/list_changed');
    await isListed('list3');
    const lines = (text: string) => bed.logger.lines.filter((line) => line.includes(text));
    assert.equal(lines("'sized' is left out").length, 1, 'what is known is not logged again');
    assert.equal(lines('Reopening the stream of list changes').length, 1);
  });
});
