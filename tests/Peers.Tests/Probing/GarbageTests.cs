using System.Buffers.Binary;
using RedisLatency.Peers.Datagrams;
using RedisLatency.Peers.Probing;

namespace RedisLatency.Peers.Tests.Probing;

/// <summary>What a peer must not be able to slip in: it is counted, and never handed out as a probe.</summary>
public sealed class GarbageTests
{
    private const int Received = 48;
    private const int Echoed = 56;

    [Theory]
    [InlineData("echoed before received")]
    [InlineData("kept longer than the whole took")]
    [InlineData("received before the machine was")]
    [InlineData("beyond any clock")]
    public async Task StampsThatCannotBe_AreCountedAndNotHandedOut(string what)
    {
        using var exchange = Spoilt(answer =>
        {
            var received = ProbeDatagram.ReceivedNs(answer);
            switch (what)
            {
                case "echoed before received":
                    Write(answer, Echoed, received - 1);
                    break;
                case "kept longer than the whole took":
                    Write(answer, Received, received - 60_000_000_000);
                    break;
                case "received before the machine was":
                    Write(answer, Received, -2);
                    Write(answer, Echoed, -1);
                    break;
                default:
                    Write(answer, Received, long.MaxValue - 1);
                    Write(answer, Echoed, long.MaxValue);
                    break;
            }

            SampleProbes.Seal(answer, SampleProbes.Key);
            return [answer];
        });

        await Counted(exchange, counts => counts.Impossible);
    }

    [Fact]
    public async Task AnswerToNobodysQuestion_IsCountedAndNotHandedOut()
    {
        using var exchange = Spoilt(answer =>
        {
            Write(answer, 32, 1_000_000);
            SampleProbes.Seal(answer, SampleProbes.Key);
            return [answer];
        });

        await Counted(exchange, counts => counts.Unasked);
    }

    [Fact]
    public async Task AnswerWithAnotherSendTime_IsCountedAndNotHandedOut()
    {
        using var exchange = Spoilt(answer =>
        {
            Write(answer, 40, 1);
            SampleProbes.Seal(answer, SampleProbes.Key);
            return [answer];
        });

        await Counted(exchange, counts => counts.Unasked);
    }

    [Fact]
    public async Task AnswerSealedWithAnotherKey_IsCountedAndNotHandedOut()
    {
        using var exchange = Spoilt(answer =>
        {
            SampleProbes.Seal(answer, new ProbeSecret().KeyOf(SampleProbes.Run));
            return [answer];
        });

        await Counted(exchange, counts => counts.Unauthenticated);
    }

    [Fact]
    public async Task TruncatedOversizedAndOtherVersions_AreCountedAndNotHandedOut()
    {
        using var exchange = Spoilt(answer =>
        {
            var other = answer.ToArray();
            other[4]++;
            return [answer[..^1], [.. answer, 0], [], other];
        });

        await Counted(exchange, counts => counts.Foreign);
    }

    [Fact]
    public async Task AnswerThatComesTwice_IsHandedOutOnce()
    {
        using var exchange = Spoilt(answer => [answer, answer]);

        var probes = await SampleProbes.Take(exchange, 20);

        exchange.Stop();
        exchange.Counts.Unasked.ShouldBeGreaterThanOrEqualTo(20);
        probes.Select(probe => (probe.Pair, probe.IsSecond)).ShouldBeUnique();
    }

    [Fact]
    public async Task AnswersToOthers_ArePassedOver()
    {
        using var exchange = Spoilt(answer =>
        {
            var others = answer.ToArray();
            others[16]++;
            return [others, answer];
        });

        await SampleProbes.Take(exchange, 20);

        exchange.Counts.Unasked.ShouldBe(0);
        exchange.Counts.Foreign.ShouldBe(0);
    }

    [Fact]
    public async Task LostAnswers_AreCountedAsUnanswered()
    {
        var number = 0;
        using var exchange = Spoilt(answer => number++ % 4 == 0 ? [] : [answer]);
        await SampleProbes.Take(exchange, 30);

        exchange.Stop();

        var counts = exchange.Counts;
        counts.Unanswered.ShouldBe((counts.Sent + 3) / 4);
        counts.Sent.ShouldBe(counts.Answered + counts.Unanswered);
    }

    private static ProbeExchange Spoilt(Func<byte[], IEnumerable<byte[]>> spoil) =>
        new(SampleProbes.Asking(), [ScriptedLane.Route(spoil)]);

    private static void Write(byte[] answer, int offset, long value) =>
        BinaryPrimitives.WriteInt64LittleEndian(answer.AsSpan(offset), value);

    private static async Task Counted(ProbeExchange exchange, Func<ProbeExchangeCounts, long> count)
    {
        await SampleProbes.Until(() => count(exchange.Counts) >= 20, () => $"{count(exchange.Counts)} counted");
        exchange.Stop();

        exchange.TryTake(out _).ShouldBeFalse();
        exchange.Counts.Answered.ShouldBe(0);
    }
}
