import { closest, distance } from 'fastest-levenshtein';
import { ZONE_NAMES } from './zone-names.ts';

const KNOWN: ReadonlySet<string> = new Set(ZONE_NAMES);

/** What people mean by an abbreviation; several places where it is ambiguous. */
const ABBREVIATIONS: Readonly<Record<string, readonly string[]>> = {
  ACST: ['Australia/Adelaide', 'Australia/Darwin'],
  AEST: ['Australia/Sydney', 'Australia/Brisbane'],
  AST: ['America/Halifax', 'America/Puerto_Rico', 'Asia/Riyadh'],
  AWST: ['Australia/Perth'],
  BRT: ['America/Sao_Paulo'],
  BST: ['Europe/London', 'Asia/Dhaka'],
  CDT: ['America/Chicago'],
  CEST: ['Europe/Berlin', 'Europe/Paris'],
  CST: ['America/Chicago', 'Asia/Shanghai', 'Asia/Taipei', 'America/Havana'],
  EDT: ['America/New_York'],
  EEST: ['Europe/Athens', 'Europe/Kyiv'],
  EST: ['America/New_York', 'America/Panama (without summer time)'],
  GST: ['Asia/Dubai'],
  HKT: ['Asia/Hong_Kong'],
  HST: ['Pacific/Honolulu'],
  IST: ['Asia/Kolkata', 'Asia/Jerusalem', 'Europe/Dublin'],
  JST: ['Asia/Tokyo'],
  KST: ['Asia/Seoul'],
  MDT: ['America/Denver'],
  MSK: ['Europe/Moscow'],
  MST: ['America/Denver', 'America/Phoenix (without summer time)'],
  NZST: ['Pacific/Auckland'],
  PDT: ['America/Los_Angeles'],
  PHT: ['Asia/Manila'],
  PST: ['America/Los_Angeles', 'Asia/Manila'],
  SGT: ['Asia/Singapore'],
  WIB: ['Asia/Jakarta'],
};

/** Longer than any zone's name. */
const LONGEST = 60;

const OFFSET = /^(?:GMT|UTC|Z)?\s*([+-])0?(\d{1,2})(?::?(\d\d))?$/i;

/** Why a text names no time zone, with the nearest that does; null when it names one. */
export function zoneProblem(timezone: string): string | null {
  if (KNOWN.has(timezone)) return refusedByRuntime(timezone);
  const name = String(timezone).slice(0, LONGEST);
  return `timezone: "${name}" ${explanation(name)}`;
}

/** Names that Intl was found to know; asking it is slow. */
const usable = new Set<string>();

function refusedByRuntime(timezone: string): string | null {
  if (usable.has(timezone)) return null;
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: timezone });
    usable.add(timezone);
    return null;
  } catch {
    return `timezone: "${timezone}" is in the IANA database but not in the time zone data of this Node.js; update Node.js`;
  }
}

function explanation(name: string): string {
  const places = ABBREVIATIONS[name.toUpperCase()];
  if (places) return `is an abbreviation, not a time zone; name a place: ${places.join(', ')}`;
  const offset = OFFSET.exec(name);
  if (offset) return `is an offset, not a time zone; ${zoneOfOffset(offset)}`;
  return `is not in the IANA time zone database; did you mean ${nearest(name)}?`;
}

/** IANA's own fixed zones count westwards, which everybody reads the wrong way round. */
function zoneOfOffset([, sign, hours, minutes]: RegExpExecArray): string {
  const size = Number(hours);
  const place = 'name a place, such as Asia/Singapore';
  if (minutes !== undefined && minutes !== '00') return place;
  if (size === 0) return `${place}, or UTC`;
  const fixed = `Etc/GMT${sign === '+' ? '-' : '+'}${size}`;
  return KNOWN.has(fixed) ? `${place}, or ${fixed} (sic: its sign is inverted)` : place;
}

function nearest(name: string): string {
  const wanted = name.trim().toLowerCase().replaceAll(' ', '_');
  const city = (zone: string) => zone.slice(zone.lastIndexOf('/') + 1);
  const compared = (zone: string) => (wanted.includes('/') ? zone : city(zone)).toLowerCase();
  const best = closest(wanted, ZONE_NAMES.map(compared));
  const candidates = ZONE_NAMES.filter((zone) => compared(zone) === best);
  const [first = 'UTC'] = candidates.sort((a, b) => distance(a, name) - distance(b, name));
  return first;
}
