const tickMs = 20;

/**
 * The longest that a timer of every 20 ms comes late, from now on, in milliseconds. Node's own histogram sees nothing of code
 * that doesn't yield until it ends.
 */
export function watchEventLoopDelay(): { longest: () => number; stop: () => void } {
  let longest = 0;
  let last = performance.now();
  const look = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last - tickMs);
    last = now;
  };
  const ticking = setInterval(look, tickMs).unref();
  return {
    longest: () => {
      look();
      return longest;
    },
    stop: () => clearInterval(ticking),
  };
}
