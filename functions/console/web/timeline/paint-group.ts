import type { Form } from './forms.ts';
import { firstReaching, type Group } from './packed.ts';
import type { TimeView } from './time-view.ts';

type Context = CanvasRenderingContext2D;

/** Where a lane lies: from the top of the canvas, and how high it is. */
interface Place {
  readonly view: TimeView;
  readonly width: number;
  readonly top: number;
  readonly height: number;
}

const markRoom = 5;

/** The rectangle that is not painted yet, since the next bar may lie on it; and where the last mark was. */
const open = { left: 0, right: 0, mark: 0 };

/**
 * Paints the bars of one lane in one state, in the colours that are set. Bars that share a pixel are one rectangle, and
 * marks too near to the one before are left out; so the work is bounded by the pixels, not by the runs.
 */
export function paintGroup(context: Context, group: Group, form: Form, place: Place): void {
  const { view, width } = place;
  const { starts, ends } = group;
  const scale = width / (view.to - view.from);
  open.left = open.right = open.mark = -markRoom;
  for (let index = firstReaching(group, view.from); index < starts.length; index += 1) {
    const start = starts[index] ?? 0;
    const end = ends[index] ?? start;
    if (start > view.to) break;
    if (end < view.from) continue;
    const x = Math.floor((start - view.from) * scale);
    if (end === start) addMark(context, form, x, place);
    else addBar(context, form, x, Math.ceil((end - view.from) * scale), place);
  }
  closeBar(context, form, place);
}

function addMark(context: Context, form: Form, x: number, place: Place): void {
  if (x - open.mark < markRoom) return;
  open.mark = x;
  paintMark(context, form, x, place);
}

function addBar(context: Context, form: Form, start: number, end: number, place: Place): void {
  const left = Math.max(-2, start);
  const right = Math.min(place.width + 2, Math.max(left + form.leastWidth, end));
  const isSpeck = right - left <= form.leastWidth;
  if (left < open.right || (left === open.right && isSpeck)) {
    open.right = Math.max(open.right, right);
    return;
  }
  closeBar(context, form, place);
  open.left = left;
  open.right = right;
}

function closeBar(context: Context, form: Form, place: Place): void {
  if (open.right > open.left) paintBar(context, form, open.left, open.right, place);
}

/** With a pixel between a bar and the next, where there is room. */
function paintBar(context: Context, form: Form, left: number, right: number, { top, height }: Place): void {
  const high = Math.max(3, Math.round(height * form.height));
  const y = Math.round(top + (height - high) / 2);
  const wide = right - left > 3 ? right - left - 1 : right - left;
  if (form.fill === 'hollow' && wide > 3) context.strokeRect(left + 0.75, y + 0.75, wide - 1.5, high - 1.5);
  else context.fillRect(left, y, wide, high);
}

function paintMark(context: Context, { mark }: Form, x: number, { top, height }: Place): void {
  const reach = Math.max(2.5, height * 0.24);
  const y = Math.round(top + height / 2) + 0.5;
  context.beginPath();
  if (mark === 'cross') {
    context.moveTo(x - reach, y - reach);
    context.lineTo(x + reach, y + reach);
    context.moveTo(x + reach, y - reach);
    context.lineTo(x - reach, y + reach);
    context.stroke();
  } else if (mark === 'ring') {
    context.arc(x, y, reach - 0.5, 0, 2 * Math.PI);
    context.stroke();
  } else {
    context.moveTo(x, y - reach);
    context.lineTo(x + reach, y);
    context.lineTo(x, y + reach);
    context.lineTo(x - reach, y);
    context.fill();
  }
}
