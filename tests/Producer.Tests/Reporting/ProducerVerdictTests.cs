using RedisLatency.Hosting.Options.Shared;
using RedisLatency.Hosting.Targets;
using RedisLatency.Metrics.Results.Records.Summaries;
using RedisLatency.Producer.Options;
using RedisLatency.Producer.Reporting;
using RedisLatency.Producer.Targets;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;

namespace RedisLatency.Producer.Tests.Reporting;

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
        FaultsOf(new MessageCounts { Asked = 1_000, Sent = 995, Unsent = 5, Returned = 990, Lost = 5 }).ShouldBeEmpty();

    [Fact]
    public void Run_ThatLostTooMuch_IsNotValid() =>
        FaultsOf(new MessageCounts { Asked = 1_000, Sent = 995, Unsent = 5, Returned = 989, Lost = 6 })
            .ShouldHaveSingleItem().ShouldBe(
                "a:1: 1.1 % of what was asked for was lost or never sent, "
                + "so the 99th percentile of all messages is not known.");

    [Fact]
    public void Run_ThatGotNothingBack_SaysThatAlone() =>
        FaultsOf(new MessageCounts { Asked = 10, Sent = 10, Returned = 0, Late = 0, Lost = 10 })
            .ShouldBe(["a:1: nothing came back."]);

    [Fact]
    public void Run_ThatFellBehindItsSchedule_IsNotValidUnlessItWasStopped()
    {
        var counts = new MessageCounts { Asked = 1_000, Sent = 1_000, Unsent = 0, Returned = 1_000, Lost = 0 };

        FaultsOf(counts, achieved: 980).ShouldHaveSingleItem().ShouldContain("the schedule could not be kept");
        FaultsOf(counts, achieved: 980, isWhole: false).ShouldBeEmpty();
        FaultsOf(counts, achieved: 990).ShouldBeEmpty();
    }

    [Fact]
    public void Run_WithAWrongAnswer_IsNotValid() =>
        FaultsOf(new MessageCounts { Asked = 10, Sent = 10, Unsent = 0, Returned = 9, Lost = 0, Wrong = 1 })
            .ShouldHaveSingleItem().ShouldStartWith("a:1: 1 wrong answers, the first: sent ");

    private List<string> FaultsOf(MessageCounts counts, double achieved = 1_000, bool isWhole = true) =>
    [
        .. ProducerVerdict.Faults(
            _session,
            new RunSummary { Name = "a:1", Counts = counts, Rates = new() { Asked = 1_000, Achieved = achieved } },
            isWhole),
    ];
}
