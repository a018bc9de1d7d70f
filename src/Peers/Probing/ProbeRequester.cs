using System.Numerics;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Metrics.Regimes;
using RedisLatency.Peers.Datagrams;

namespace RedisLatency.Peers.Probing;

/// <summary>
/// Asks on a lane and takes what comes back: what is not the first possible answer to an open question is counted and
/// goes no further. Used by one thread; allocates nothing.
/// </summary>
internal sealed class ProbeRequester : IDisposable
{
    // A peer's clock may run this much slower than ours while it keeps a probe: more than any clock does.
    private const double MostResidence = 1.001;
    private const long StampErrorNs = 1_000;

    private readonly ProbeExchangeOptions _options;
    private readonly DatagramSeal _seal;
    private readonly PendingProbes _questions;
    private readonly byte[] _question = GC.AllocateArray<byte>(ProbeDatagram.Length, pinned: true);

    // One byte more than a datagram, so that a longer one shows.
    private readonly byte[] _answer = GC.AllocateArray<byte>(ProbeDatagram.Length + 1, pinned: true);

    public ProbeRequester(ProbeExchangeOptions options, ulong number)
    {
        _options = options;
        Number = number;
        _seal = new DatagramSeal(options.Key);
        _questions = new PendingProbes(
            options.AnswerLimit.InNanoseconds,
            2 * Math.Max(options.UdpPairsPerSecond, options.RedisPairsPerSecond));
        Answers = new ProbeQueue(options.QueueLength);
    }

    public ulong Number { get; }

    public ProbeExchangeCounts Counts { get; } = new();

    public ProbeQueue Answers { get; }

    public long LastAnswerNs { get; private set; }

    public bool HasOpenQuestions => _questions.HasOpen;

    /// <summary>The first and the second question of a pair take turns; returns when it left.</summary>
    public long Ask(IProbeLane lane)
    {
        var question = _question.AsSpan();
        var sequence = _questions.Next;
        ProbeDatagram.WriteQuestion(question, new ProbeFields(
            ProbeKind.Question, _options.Run, Number, _options.Answerer, sequence, 0));
        var sentNs = MonotonicClock.NowNs();
        ProbeDatagram.StampSent(question, sentNs);
        _seal.Close(question);
        _questions.Ask(sentNs);
        if (lane.TrySend(question))
        {
            Counts.Sent++;
        }
        else
        {
            _questions.TryClose(sequence, sentNs);
            Counts.Unsent++;
        }

        return sentNs;
    }

    public void Receive(IProbeLane lane, long untilNs)
    {
        var length = lane.Receive(untilNs, _answer, out var returnedNs);
        if (length >= 0)
            Take(_answer.AsSpan(0, length), returnedNs);
    }

    public void GiveUp(long nowNs) => Counts.Unanswered += _questions.GiveUp(nowNs);

    public void GiveUpAll() => GiveUp(long.MaxValue);

    public void Dispose() => _seal.Dispose();

    private void Take(ReadOnlySpan<byte> answer, long returnedNs)
    {
        var defect = ProbeDatagram.Read(answer, _options.Run, out var fields);
        if (defect != DatagramDefect.None || fields.Kind != ProbeKind.Answer)
            Counts.Foreign++;
        else if (fields.Asker != Number || fields.Answerer != _options.Answerer)
            return; // A shared channel brings everybody's answers.
        else if (!_seal.IsIntact(answer))
            Counts.Unauthenticated++;
        else if (!_questions.TryClose(fields.Sequence, fields.SentNs))
            Counts.Unasked++;
        else
            Take(answer, fields, returnedNs);
    }

    private void Take(ReadOnlySpan<byte> answer, in ProbeFields fields, long returnedNs)
    {
        var probe = new ClockProbe(
            fields.SentNs, ProbeDatagram.ReceivedNs(answer), ProbeDatagram.EchoedNs(answer), returnedNs);
        if (!IsPossible(probe))
        {
            Counts.Impossible++;
            return;
        }

        LastAnswerNs = returnedNs;
        var place = fields.Sequence - 1;
        if (Answers.TryPut(new ExchangedProbe(probe, place / 2, place % 2 == 1, ProbeDatagram.StatusOf(answer))))
            Counts.Answered++;
        else
            Counts.QueueFull++;
    }

    private static bool IsPossible(in ClockProbe probe)
    {
        // No host is up for a century: sums and differences of such stamps cannot overflow.
        const long Century = 3_155_760_000L * 1_000_000_000;
        if (probe.ReceivedNs is < 0 or > Century || probe.EchoedNs is < 0 or > Century)
            return false;
        var residence = probe.EchoedNs - probe.ReceivedNs;
        var elapsed = probe.ReturnedNs - probe.SentNs;
        return residence >= 0 && elapsed >= 0 && residence <= (elapsed * MostResidence) + StampErrorNs;
    }
}

/// <summary>A ring between the one thread that puts and the one that takes; never waits, allocates nothing.</summary>
internal sealed class ProbeQueue(int length)
{
    private readonly ExchangedProbe[] _slots = new ExchangedProbe[BitOperations.RoundUpToPowerOf2((uint)length)];
    private long _put;
    private long _taken;

    public bool TryPut(in ExchangedProbe probe)
    {
        if (_put - Volatile.Read(ref _taken) >= _slots.Length)
            return false;
        _slots[_put & (_slots.Length - 1)] = probe;
        Volatile.Write(ref _put, _put + 1);
        return true;
    }

    public bool TryTake(out ExchangedProbe probe)
    {
        if (_taken >= Volatile.Read(ref _put))
        {
            probe = default;
            return false;
        }

        probe = _slots[_taken & (_slots.Length - 1)];
        Volatile.Write(ref _taken, _taken + 1);
        return true;
    }
}
