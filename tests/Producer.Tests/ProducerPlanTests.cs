using RedisLatency.Messaging.Sending;

namespace RedisLatency.Producer.Tests;

public class ProducerPlanTests
{
    [Fact]
    public void Plan_ByDefault_IsTheOpenLoopForFiveSeconds()
    {
        var plan = PlanOf(new ProducerOptions());

        plan.IsOpenLoop.ShouldBeTrue();
        plan.Rate.ShouldBe(5_000);
        plan.Measure.ShouldBe(new StreamLimit(null, TimeSpan.FromSeconds(5)));
        plan.WarmUp.ShouldBe(new StreamLimit(10_000, TimeSpan.FromSeconds(2), UntilBoth: true));
        plan.Channel.ShouldBe("redislatency:default:ping");
        plan.ReplyChannel.ShouldBe("redislatency:default:pong");
    }

    [Fact]
    public void Plan_AtALowRate_WarmsUpForTenSecondsAtMost() =>
        PlanOf(new ProducerOptions { Rate = 200 }).WarmUp
            .ShouldBe(new StreamLimit(2_000, TimeSpan.FromSeconds(2), UntilBoth: true));

    [Fact]
    public void Plan_WithoutARate_IsTheSeedsTest()
    {
        var plan = PlanOf(new ProducerOptions { Rate = 0 });

        plan.IsOpenLoop.ShouldBeFalse();
        plan.Measure.ShouldBe(new StreamLimit(1_000, null));
        plan.WarmUp.ShouldBe(new StreamLimit(200, null));
    }

    [Fact]
    public void Plan_OfPlainCounts_IsTheSeedsTestOnTheSeedsChannels()
    {
        var plan = PlanOf(new ProducerOptions { Payload = PayloadForm.Counter });

        plan.Rate.ShouldBe(0);
        plan.Measure.ShouldBe(new StreamLimit(1_000, null));
        (plan.Channel, plan.ReplyChannel).ShouldBe(("ping", "pong"));
    }

    [Fact]
    public void Plan_OfPlainCountsAtARateThatWasGiven_KeepsIt() =>
        new ProducerPlan(new ProducerOptions { Payload = PayloadForm.Counter }, rateIsGiven: true).Rate.ShouldBe(5_000);

    [Theory]
    [InlineData(null, 3, null, 3)]
    [InlineData(700L, null, 700L, null)]
    [InlineData(700L, 3, 700L, 3)]
    public void Plan_OfTheOpenLoop_MeasuresAsLongAsAsked(
        long? iterations, int? seconds, long? messages, int? measuredSeconds)
    {
        var plan = PlanOf(new ProducerOptions { Iterations = iterations, Duration = Seconds(seconds) });

        plan.Measure.ShouldBe(new StreamLimit(messages, Seconds(measuredSeconds)));
    }

    [Fact]
    public void Plan_OfTheClosedLoopForATime_CountsNoMessages() =>
        PlanOf(new ProducerOptions { Rate = 0, Duration = Seconds(2) }).Measure
            .ShouldBe(new StreamLimit(null, Seconds(2)));

    [Fact]
    public void Plan_WithAWarmUpOfNothing_HasNone()
    {
        PlanOf(new ProducerOptions { WarmUp = new WarmUpLimit(0, null) }).HasWarmUp.ShouldBeFalse();
        PlanOf(new ProducerOptions { WarmUp = new WarmUpLimit(null, TimeSpan.Zero) }).HasWarmUp.ShouldBeFalse();
        PlanOf(new ProducerOptions()).HasWarmUp.ShouldBeTrue();
    }

    [Theory]
    [InlineData(10, 3)]
    [InlineData(2, 3)]
    [InlineData(1_000, 7)]
    public void ShareOf_AllStreams_IsTheWhole(long messages, int streams)
    {
        var plan = PlanOf(new ProducerOptions { Streams = streams });

        var shares = Enumerable.Range(0, streams)
            .Select(stream => plan.ShareOf(new StreamLimit(messages, null), stream).Messages!.Value).ToList();

        shares.Sum().ShouldBe(messages);
        (shares.Max() - shares.Min()).ShouldBeLessThanOrEqualTo(1);
    }

    [Fact]
    public void Streams_HaveChannelsSeedsAndASharedRate()
    {
        var plan = PlanOf(new ProducerOptions { Streams = 4, Rate = 1_000, PayloadSize = new(1, 9) });

        plan.SenderOf(3).Rate.ShouldBe(250);
        plan.SenderOf(3).Stream.ShouldBe(3);
        (plan.SenderOf(3).PayloadSize.Min, plan.SenderOf(3).PayloadSize.Max).ShouldBe((1, 9));
        Enumerable.Range(0, 4).Select(stream => plan.SenderOf(stream).Seed).ShouldBeUnique();
        plan.LaneOf(0).PublishChannels.ShouldBe(["redislatency:default:ping"]);
        plan.LaneOf(3).PublishChannels.ShouldBe(["redislatency:default:ping:3"]);
        plan.LaneOf(3).SubscribeChannels.ShouldBe(["redislatency:default:pong:3"]);
    }

    private static ProducerPlan PlanOf(ProducerOptions options) => new(options, rateIsGiven: false);

    private static TimeSpan? Seconds(int? seconds) => seconds is { } known ? TimeSpan.FromSeconds(known) : null;
}
