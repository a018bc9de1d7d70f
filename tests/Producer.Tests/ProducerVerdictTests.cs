using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Targets;
using RedisLatency.Messaging.Sending;
using RedisLatency.Peers.Rendezvous;
using RedisLatency.Producer.Measuring;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Records;
using static RedisLatency.Reports.Figures.RecordedMetric;

namespace RedisLatency.Producer.Tests;

public sealed class ProducerVerdictTests : IDisposable
{
    private readonly TargetSession _session = new(
        "a:1",
        string.Empty,
        new ResolvedTarget(RedisEndpoint.Parse("127.0.0.1:1"), new RedisConnectionOptions(), DriverKind.Raw),
        new ProducerPlan(new ProducerOptions(), rateIsGiven: false));

    public void Dispose() => _session.Dispose();

    [Fact]
    public void Run_ThatLostAndMissedLittle_IsValid() =>
        FaultsOf([Of(Counted.Asked, 1_000), Of(Counted.Sent, 995), Of(Counted.Unsent, 5), Of(Counted.Returned, 990),
            Of(Counted.Lost, 5)]).ShouldBeEmpty();

    [Fact]
    public void Run_ThatLostTooMuch_IsNotValid() =>
        FaultsOf([Of(Counted.Asked, 1_000), Of(Counted.Sent, 995), Of(Counted.Unsent, 5), Of(Counted.Returned, 989),
            Of(Counted.Lost, 6)])
            .ShouldHaveSingleItem().ShouldBe(
                "a:1: 1.1 % of what was asked for was lost or never sent, "
                + "so the 99th percentile of all messages is not known.");

    [Fact]
    public void Run_ThatGotNothingBack_SaysThatAlone() =>
        FaultsOf([Of(Counted.Asked, 10), Of(Counted.Sent, 10), Of(Counted.Returned, 0), Of(Counted.Late, 0),
            Of(Counted.Lost, 10)])
            .ShouldBe(["a:1: nothing came back."]);

    [Theory]
    [InlineData(8_000, 132, true)] // 1.65 % of the echoes owed by two consumers
    [InlineData(24_000, 239, false)]
    public void Share_ThatWasLost_IsOfTheEchoesOwed(long owed, long lost, bool isTooMuch)
    {
        RecordedMetric[] counts = [Of(Counted.Asked, owed / 2), Of(Counted.Sent, owed / 2), Of(Counted.Unsent, 0),
            Of(Counted.Owed, owed), Of(Counted.Returned, owed - lost), Of(Counted.Lost, lost)];

        var faults = FaultsOf(counts);

        if (isTooMuch)
            faults.ShouldHaveSingleItem().ShouldStartWith("a:1: 1.65 % of what was asked for was lost");
        else
            faults.ShouldBeEmpty();
    }

    [Theory]
    [InlineData(5_000, 5_000, 5.06, false)]
    [InlineData(5_000, 5_000, 5.04, true)]
    [InlineData(5_000, 4_940, 5, false)]
    [InlineData(1, 1, 0.08, true)] // Of less than a second nobody can say what a second would have been.
    [InlineData(20, 20, 0.9, true)]
    [InlineData(20, 20, 1.1, false)]
    public void Schedule_IsJudgedOverWhatWasAsked(long asked, long sent, double seconds, bool isKept)
    {
        // A thousand messages a second.
        RecordedMetric[] counts = [Of(Counted.Asked, asked), Of(Counted.Sent, sent), Of(Counted.Unsent, asked - sent),
            Of(Counted.Returned, sent), Of(Counted.Lost, 0)];

        var faults = FaultsOf(counts, asked * 1_000_000, (long)(seconds * 1e9));

        faults.Any(fault => fault.Contains("the schedule could not be kept")).ShouldBe(!isKept);
        FaultsOf(counts, asked * 1_000_000, (long)(seconds * 1e9), isWhole: false)
            .ShouldNotContain(fault => fault.Contains("the schedule"));
    }

    [Fact]
    public void Consumers_OfOneName_AreNamed() => ConsumerAdvice
        .Twins([Consumer(1, "east"), Consumer(2, "west"), Consumer(3, "east")]).ShouldHaveSingleItem()
        .ShouldStartWith("2 consumers have the name east, and each answers every message");

    [Fact]
    public void Consumers_OfOneHost_InOneRegionEach_AreNoTwins() => ConsumerAdvice
        .Twins(
        [
            new(1, Announcement.OfThis("default", "consumer", "host", "eu")),
            new(2, Announcement.OfThis("default", "consumer", "host", "us")),
        ])
        .ShouldBeEmpty();

    [Fact]
    public void Consumers_OfAnotherVersion_AreNamed() => ConsumerAdvice
        .OtherVersions(
        [
            Consumer(1, "east"),
            new(2, Announcement.OfThis("default", "consumer", "west", "eu")),
            new(3, null),
        ])
        .ShouldHaveSingleItem().ShouldStartWith("The consumer east is of version 1, and this process of ");

    [Fact]
    public void Run_WithAWrongAnswer_IsNotValid() =>
        FaultsOf([Of(Counted.Asked, 10), Of(Counted.Sent, 10), Of(Counted.Unsent, 0), Of(Counted.Returned, 9),
            Of(Counted.Lost, 0), Of(Counted.Wrong, 1)])
            .ShouldHaveSingleItem().ShouldStartWith("a:1: 1 wrong answers, the first: sent ");

    private static PresentConsumer Consumer(ulong id, string name) =>
        new(id, new Announcement("default", "consumer", name, string.Empty, "1"));

    private List<string> FaultsOf(
        IReadOnlyList<RecordedMetric> counts, long scheduledNs = 1_000_000_000, long durationNs = 1_000_000_000,
            bool isWhole = true) =>
    [
        .. ProducerVerdict.Faults(
            _session,
            new RunSummary
            {
                Name = "a:1",
                DurationNs = durationNs,
                Metrics = counts,
                Rates = new() { Asked = 1_000, Achieved = (counts.Count(Counted.Sent) ?? 0) * 1e9 / durationNs },
            },
            scheduledNs,
            isWhole),
    ];
}
