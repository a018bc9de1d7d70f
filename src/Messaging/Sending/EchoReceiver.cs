using System.Globalization;
using System.Text;
using RedisLatency.Messaging.Frames;
using RedisLatency.Messaging.OneWay;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.Sequences;
using RedisLatency.Redis.Lanes;

namespace RedisLatency.Messaging.Sending;

/// <summary>Takes what comes back on a stream: finds its message, judges it, and records what it took.</summary>
internal sealed class EchoReceiver(SenderOptions options, InFlightWindow window)
{
    // Who signs each echo anew would be as many consumers as there are messages.
    private const int MostUnexpected = 15;

    private readonly List<EchoLedger> _ledgers = new(MostUnexpected + 1);
    private int _mostLedgers;
    private StreamCounts _counts = new();
    private RoundTripSeries _series = new();
    private StampRing? _stamps;
    private FrameFlags _phase;
    private long _counterBase;

    public IReadOnlyList<EchoLedger> Ledgers => _ledgers;

    /// <summary>Whether a consumer that echoes has not answered the last message yet.</summary>
    public bool IsOwed => !options.NoEcho && _ledgers.Exists(ledger => ledger.Tracker.Highest < _counts.Sent - 1);

    /// <summary>The first answer that was not what was sent, for the user to see.</summary>
    public WrongAnswer? FirstWrong { get; private set; }

    /// <summary>When the schedule ends, in nanoseconds; the largest number before that is known.</summary>
    public long EndsAt { get; set; } = long.MaxValue;

    /// <summary>Whether the end frame has come back: nothing sent before it is still under way.</summary>
    public bool EndReturned { get; private set; }

    public void Start(FrameFlags phase, StreamPhase settings, long counterBase)
    {
        (_phase, _counts, _series) = (phase, settings.Counts, settings.Series);
        (_stamps, _counterBase) = (settings.Stamps, counterBase);
        FirstWrong = null;
        EndReturned = false;
        _ledgers.Clear();
        _mostLedgers = settings.Consumers.Count + (settings.IsClosed ? 0 : MostUnexpected);
        if (options.NoEcho)
            return; // Nobody owes anything.
        // By index: whether an enumerator of an interface is allocated depends on what the runtime compiled meanwhile.
        for (var i = 0; i < settings.Consumers.Count; i++)
            _ledgers.Add(new EchoLedger(settings.Consumers[i], 0));
    }

    public void Take(in LaneMessage message)
    {
        if (options.IsCounter)
            TakeCounter(message);
        else
            TakeFrame(message);
        _counts.InFlight = window.Count;
    }

    private void TakeFrame(in LaneMessage message)
    {
        var defect = FrameReader.Read(message.Payload, out var header);
        if (defect is FrameDefect.Foreign)
        {
            _counts.Foreign++;
            return;
        }

        if (defect is not FrameDefect.None)
        {
            _counts.Corrupted++;
            return;
        }

        if (options.SharesChannels && header.Run == options.Run && header.Producer != options.Producer)
            return; // For another producer of the run.

        var isOurs = header.Producer == options.Producer && header.Run == options.Run
            && header.Stream == options.Stream && header.IsEcho;
        if (!isOurs || (options.NoEcho && header.Kind == MessageKind.Message))
            _counts.Foreign++;
        else if (header.Kind == MessageKind.End)
            EndReturned = true;
        else if (header.Kind == MessageKind.Message && (header.Flags & FrameFlags.WarmUp) == _phase)
            TakeEcho(header, MonotonicClock.FromTimestamp(message.ReceivedTimestamp));
    }

    private void TakeEcho(in FrameHeader header, long returned)
    {
        if (LedgerOf(header.EchoInstance, header.Sequence) is not { } ledger)
        {
            _counts.Foreign++;
            _counts.Unserved++;
            return;
        }

        // A message that was never sent is refused below. Of one whose slot was used again it is known only that it
        // was sent before all that have theirs.
        var roundTrip = returned - header.Sent;
        if (header.Sequence is >= 0 and var sequence && sequence < _counts.Sent
            && (!window.MayBe(sequence, header.Intended, header.Sent, out var sent) || IsImpossible(roundTrip)))
        {
            TakeForged(sequence, sent, header.Sent);
            return;
        }

        var arrival = Account(ledger, header.Sequence, roundTrip);
        if ((arrival & SequenceArrival.First) == 0)
            return;

        RecordRoundTrip(header.Sent, header.Intended, returned);
        if (MessageStamps.ReturnIsPossible(header.Sent, header.Received, header.Echoed, returned))
            RecordPath(header, returned);
        else
            _counts.Garbage++;
    }

    // What rests on the consumer's stamps.
    private void RecordPath(in FrameHeader header, long returned)
    {
        var residence = header.Residence;
        Record(
            _series.Network, returned - header.Sent - residence,
            _series.NetworkFromIntended, returned - header.Intended - residence);
        _series.Residence.Record(residence);
        _stamps?.TryAppend(new MessageStamps(
            header.EchoInstance, header.Stream, header.Sequence, header.Intended, header.Sent, header.Received,
            header.Echoed, returned));
    }

    private void TakeCounter(in LaneMessage message)
    {
        if (!CounterPayload.TryRead(message.Payload, out var count))
        {
            TakeWrong(message.Payload);
            return;
        }

        var sequence = count - _counterBase;
        if (sequence < 0)
            return; // A straggler of the warm-up.
        if (sequence >= _counts.Sent)
        {
            TakeWrong(message.Payload);
            return;
        }

        // The stamps are not in the payload: what comes after its slot was used again is counted without a latency.
        var isKnown = window.TryGetStamps(sequence, out var intended, out var sent);
        var returned = MonotonicClock.FromTimestamp(message.ReceivedTimestamp);
        var roundTrip = isKnown ? returned - sent : long.MaxValue;
        if (IsImpossible(roundTrip))
        {
            TakeWrong(message.Payload); // An answer to what was not sent yet: somebody counts ahead.
            return;
        }

        var arrival = Account(LedgerOf(0, 0)!, sequence, roundTrip);
        if ((arrival & SequenceArrival.First) == 0 || !isKnown)
            return;
        RecordRoundTrip(sent, intended, returned);
    }

    private void RecordRoundTrip(long sent, long intended, long returned)
    {
        Record(_series.RoundTrip, returned - sent, _series.RoundTripFromIntended, returned - intended);
        if (returned > EndsAt)
            _series.AfterEnd.Record(returned - EndsAt);
    }

    private void Record(LatencyRecorder fromSent, long sinceSent, LatencyRecorder fromIntended, long sinceIntended)
    {
        if (options.Rate > 0)
            fromSent.Record(sinceSent, fromIntended, sinceIntended);
        else
            fromSent.Record(sinceSent);
    }

    private SequenceArrival Account(EchoLedger ledger, long sequence, long roundTripNs)
    {
        var isLate = roundTripNs > options.ReceiveDeadlineNs;
        var arrival = ledger.Tracker.Observe(sequence, isLate, _counts.Sent - ledger.FirstSequence);
        if ((arrival & SequenceArrival.Duplicate) != 0)
            _counts.Duplicated++;
        if ((arrival & SequenceArrival.Refused) != 0)
            _counts.Corrupted++;
        if ((arrival & SequenceArrival.First) == 0)
            return arrival;

        if (isLate)
            _counts.Late++;
        else
            _counts.Returned++;
        if ((arrival & SequenceArrival.Reordered) != 0)
            _counts.Reordered++;
        window.Return(sequence);
        return arrival;
    }

    // A clock that was made wrong on purpose may go backwards, without anybody's doing.
    private static bool IsImpossible(long roundTrip) => roundTrip < 0 && !MonotonicClock.IsSynthetic;

    private EchoLedger? LedgerOf(ulong consumer, long sequence)
    {
        foreach (var ledger in _ledgers)
        {
            if (ledger.Consumer == consumer)
                return ledger;
        }

        if (_ledgers.Count >= _mostLedgers)
            return null;

        // Nobody expected this one: it may have come while others were under way, and owes from the first it answers.
        var isKnown = sequence >= 0 && sequence < _counts.Sent;
        var added = new EchoLedger(consumer, isKnown ? sequence : window.Oldest);
        _ledgers.Add(added);
        window.AddConsumer(added.FirstSequence);
        return added;
    }

    // A producer's own stamps come back as they went, or somebody has changed them: no time can be taken from it.
    private void TakeForged(long sequence, long sent, long told)
    {
        FirstWrong ??= WrongAnswer.OfStamps(sequence, sent, told);
        CountWrong();
    }

    private void TakeWrong(ReadOnlySpan<byte> payload)
    {
        FirstWrong ??= WrongAnswer.OfCount(_counterBase + _counts.Sent - 1, payload);
        CountWrong();
    }

    // In the closed loop exactly one message is under way: a wrong answer is its answer.
    private void CountWrong()
    {
        _counts.Wrong++;
        if (options.Rate == 0)
            window.Return(_counts.Sent - 1);
    }
}

/// <summary>An answer that was not what was sent.</summary>
/// <param name="Sent">What had been sent: the last count, or the stamps of a message.</param>
/// <param name="Received">What came, as far as it can be printed.</param>
public sealed record WrongAnswer(string Sent, string Received)
{
    private const int MaxLength = 40;

    internal static WrongAnswer OfCount(long last, ReadOnlySpan<byte> payload) =>
        new(last.ToString(CultureInfo.InvariantCulture), Printable(payload));

    internal static WrongAnswer OfStamps(long sequence, long sent, long told) => new(
        string.Create(CultureInfo.InvariantCulture, $"message {sequence} at {sent} ns"),
        string.Create(CultureInfo.InvariantCulture, $"it with other stamps, sent at {told} ns"));

    private static string Printable(ReadOnlySpan<byte> payload)
    {
        var text = new StringBuilder();
        foreach (var value in payload[..Math.Min(payload.Length, MaxLength)])
            text.Append(value is >= 0x20 and < 0x7f ? (char)value : '.');
        return payload.Length > MaxLength ? text.Append('…').ToString() : text.ToString();
    }
}

/// <summary>
/// What one consumer has sent back of one stream: several consumers are several echoes, not duplicates.
/// </summary>
public sealed class EchoLedger
{
    internal EchoLedger(ulong consumer, long firstSequence)
    {
        Consumer = consumer;
        FirstSequence = firstSequence;
        Tracker = new SequenceTracker(firstSequence);
    }

    /// <summary>The consumer, as it signs its echoes; 0 where the payload has no signature.</summary>
    public ulong Consumer { get; }

    /// <summary>The first message that this consumer owes an echo of; above 0 where it came unexpected.</summary>
    public long FirstSequence { get; }

    internal SequenceTracker Tracker { get; }

    /// <summary>What became of the messages that were sent since this consumer was there.</summary>
    /// <param name="sent">How many messages the stream sent in all.</param>
    public SequenceCounts Count(long sent) => Tracker.Count(Math.Max(0, sent - FirstSequence));
}
