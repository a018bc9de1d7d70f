using RedisLatency.Messaging.OneWay;

namespace RedisLatency.Messaging.Tests.OneWay;

/// <summary>A producer and its consumer over a real server, both on this machine's clock: the offset is 0.</summary>
public sealed class OneWayPairTests
{
    [Fact]
    public async Task Figures_OfTheConsumerAlone_AreThoseOfTheProducer()
    {
        await using var pair = await OneWayPair.Start(noEcho: false);
        var ring = new StampRing(1 << 14);
        pair.Send(5_000, ring);
        using var correction = new OneWayCorrection(new OneWayOptions());
        var buffer = new MessageStamps[1_000];
        while (ring.Take(buffer) is > 0 and var count)
        {
            foreach (var stamps in buffer.AsSpan(0, count))
                correction.Add(stamps);
        }

        var window = pair.TellTheOffset();
        correction.Add(window);
        correction.TryCorrect(out _).ShouldBeTrue();

        var figures = pair.AskFigures().ShouldNotBeNull();
        var forward = correction.Total.Forward;
        forward.Count.ShouldBe(5_000);
        figures.Received.ShouldBe(5_000);
        figures.Corrected.ShouldBe(forward.Count);
        figures.MeanNs.ShouldBe(forward.MeanNs, 1);
        figures.MeanFromIntendedNs.ShouldBe(forward.MeanFromIntendedNs, 1);
        (figures.MinNs, figures.MaxNs, figures.Negatives).ShouldBe((forward.MinNs, forward.MaxNs, 0));
        pair.Echo.Counts.Kept.ShouldBe(0);
        (forward.MeanNs + correction.Total.Back!.MeanNs).ShouldBe(correction.Total.MeanNetworkNs, 1);
    }

    [Fact]
    public async Task Messages_ThatAreNotEchoed_AreMeasuredByTheConsumerAlone()
    {
        await using var pair = await OneWayPair.Start(noEcho: true);
        pair.Send(3_000, null);
        pair.TellTheOffset();

        var figures = pair.AskFigures().ShouldNotBeNull();
        (figures.Received, figures.Corrected, figures.Negatives).ShouldBe((3_000, 3_000, 0));
        figures.MinNs.ShouldBeGreaterThan(0);
        figures.MeanFromIntendedNs.ShouldBeGreaterThanOrEqualTo(figures.MeanNs);
        pair.Sender.Counts.Sent.ShouldBe(3_000);
        (pair.Sender.Counts.Returned, pair.Sender.Counts.InFlight, pair.Sender.Counts.Foreign).ShouldBe((0, 0, 0));
        pair.Sender.Ledgers.ShouldBeEmpty();
        pair.Echo.Counts.Kept.ShouldBe(3_000);
        var served = pair.Echo.Streams.Single();
        served.HasEnded.ShouldBeTrue();
        served.Count().Lost.ShouldBe(0);
        served.Received.ShouldBe(3_000);
    }

    [Fact]
    public async Task Figures_AskedBeforeTheOffsetWasTold_AreNotGiven()
    {
        await using var pair = await OneWayPair.Start(noEcho: false);
        pair.Send(10, null);
        pair.Ask(OneWayPair.Instance, TimeSpan.FromMilliseconds(50)).ShouldBeNull();
        pair.Ask(OneWayPair.Instance + 1, TimeSpan.FromMilliseconds(50)).ShouldBeNull();
    }

    [Theory]
    [InlineData(false, 10_000)]
    [InlineData(false, 0)]
    [InlineData(true, 10_000)]
    public async Task Loops_ThatKeepStamps_AllocateNothingPerMessage(bool noEcho, double rate)
    {
        await using var pair = await OneWayPair.Start(noEcho, rate);
        var (sending, receiving) = pair.AllocationOf(few: 100, many: 10_000);
        // What is allocated once, such as by a wait that was never contended before, may come with the few.
        sending.ShouldBeLessThanOrEqualTo(0);
        receiving.ShouldBeLessThanOrEqualTo(0);
    }
}
