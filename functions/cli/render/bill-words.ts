import type { Bill } from '../../domain/bill.ts';
import { bytesText } from './amounts.ts';
import { counted, oneLine } from './text.ts';
import { spanText } from './times.ts';

/** Less is what every event loop does. */
const noticedDelayMs = 100;

/**
 * What an attempt had waited for and used, as far as it did: `waited 40 s for reports-db; used 1.2 s CPU, 84 MB at most,
 * 3.1 MB read from disk, 12 read units; reports-db: 1,200 reads`. Empty when nothing is known of it.
 */
export function billText(bill: Bill): string {
  const { cpuUserMs, cpuSystemMs, peakMemoryMb, eventLoopDelayMs = 0, dynamo } = bill;
  const used = [
    cpuUserMs === undefined || cpuSystemMs === undefined ? '' : `${spanText(cpuUserMs + cpuSystemMs)} CPU`,
    peakMemoryMb === undefined ? '' : `${Math.ceil(peakMemoryMb)} MB at most`,
    bytes(bill.readBytes, 'read from disk'),
    bytes(bill.writtenBytes, 'written to disk'),
    bytes(bill.receivedBytes, 'received'),
    bytes(bill.sentBytes, 'sent'),
    dynamo?.readUnits ? counted(dynamo.readUnits, 'read unit') : '',
    dynamo?.writeUnits ? counted(dynamo.writeUnits, 'write unit') : '',
  ].filter((part) => part !== '');
  const parts = [
    ...Object.entries(bill.waitedMs ?? {}).map(([pool, ms]) => `waited ${spanText(ms)} for ${pool}`),
    used.length === 0 ? '' : `used ${used.join(', ')}`,
    eventLoopDelayMs < noticedDelayMs ? '' : `held up its event loop for ${spanText(eventLoopDelayMs)}`,
    ...Object.entries(bill.metered ?? {}).map(([name, amounts]) => `${name}: ${amountsText(amounts)}`),
  ];
  return oneLine(parts.filter((part) => part !== '').join('; '));
}

function amountsText(amounts: Readonly<Record<string, number>>): string {
  const parts = Object.entries(amounts).map(([unit, amount]) => `${amount.toLocaleString('en-US')} ${unit}`);
  return parts.join(', ') || 'nothing';
}

/** Empty for none. */
function bytes(count: number | undefined, what: string): string {
  if (!count) return '';
  return `${count < 1_000 ? counted(count, 'byte') : bytesText(count)} ${what}`;
}
