import { useEffect, useState } from 'preact/hooks';
import { act } from '../api.ts';
import { ActForm } from '../parts/act-form.tsx';
import { Acts, type Ways } from '../parts/acts.tsx';
import { counted } from '../parts/texts.ts';

/** What failed too often on the control queue, to be sent back once its cause is mended. */
export function LedgerMessages() {
  return (
    <>
      <p class="faint">
        What the reconciler could not read, five times over, lies aside. No fire is lost by it: sweeps find
        what it is about. Once its cause is mended it can be read anew.
      </p>
      <Acts acts={[{ label: 'Send them back', form: (ways) => <SendBack ways={ways} /> }]} />
    </>
  );
}

type Answer = { readonly messages: number };

/** They are counted when somebody asks for it: each look at a queue is paid for. */
function SendBack({ ways }: { readonly ways: Ways }) {
  const [found, tell] = useState('They are being counted.');
  useEffect(() => {
    act<'redrive', Answer>('redrive', { dryRun: true }).then(
      ({ messages }) => tell(messages === 0 ? 'There is none now.' : `There are about ${messages} now.`),
      (error: Error) => tell(`They could not be counted: ${error.message}.`),
    );
  }, []);
  const run = async (noted: { readonly note?: string }) => {
    const { messages } = await act<'redrive', Answer>('redrive', noted);
    return `About ${counted(messages, 'message')} on the way back to the control queue.`;
  };
  return <ActForm explains={found} does="Send them back" run={run} ways={ways} />;
}
