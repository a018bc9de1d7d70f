using RedisLatency.Metrics.Histograms;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Verdicts;

namespace RedisLatency.Reports.Tests.Verdicts;

public class ScheduleBacklogTests
{
    private const long Millisecond = 1_000_000;
    private const long Second = 1_000 * Millisecond;
    private const long RoundTrip = Millisecond / 5;
    private const long LongWay = 500 * Millisecond;
    private static readonly MessageRates Rates = new() { Asked = 1_100, Achieved = 1_000 };

    /// <summary>1,100/s of a server that answers 1,000: after the end of 2 s they come for another 0.2 s.</summary>
    [Fact]
    public void Queue_ThatGrew_LastsUntilItsLastAnswer_AndTheScheduleWasNotKept()
    {
        var (afterEnd, waits) = Answers(2_200, due: i => i * Second / 1_100, answered: i => (i + 1) * Millisecond);

        var queue = ScheduleBacklog.Of(afterEnd, waits, RoundTrip);

        queue.DurationNs.ShouldBeInRange(199 * Millisecond, 201 * Millisecond);
        queue.Fault("run", Rates, 2 * Second).ShouldNotBeNull()
            .ShouldContain("the schedule could not be kept: 1,000/s of 1,100/s; a queue of 199.8 ms");
    }

    /// <summary>
    /// 4,500/s of a server that answers 3,000, of whose first answers this machine saw none for 50 ms: even the
    /// quickest waited 17 ms then, and what that would take off the time is 2 %. How long the server takes is known from
    /// before.
    /// </summary>
    [Fact]
    public void Queue_WhoseFirstAnswersAreHeldBack_HasNoQuickerServer()
    {
        var (afterEnd, waits) = Answers(
            9_000, due: i => i * Second / 4_500, answered: i => Math.Max(50 * Millisecond, (i + 1) * Second / 3_000));

        waits.Min.ShouldBeGreaterThan(16 * Millisecond);
        ScheduleBacklog.Of(afterEnd, waits, RoundTrip).DurationNs
            .ShouldBeInRange(999 * Millisecond, 1_001 * Millisecond);
    }

    /// <summary>What is under way at the end of any schedule is no queue, however long the way is.</summary>
    [Fact]
    public void Answers_OfALongWay_AreNoQueue()
    {
        var (afterEnd, waits) = Answers(2_000, i => i * Millisecond, i => (i + 500) * Millisecond);

        afterEnd.TotalCount.ShouldBe(499);
        ScheduleBacklog.Of(afterEnd, waits, LongWay).DurationNs.ShouldBe(0);
    }

    /// <summary>One that is late by ever so much is one of very many.</summary>
    [Fact]
    public void Straggler_IsNoQueue()
    {
        var (afterEnd, waits) = Answers(
            2_000, i => i * Millisecond, i => i == 1_999 ? 3 * Second : (i * Millisecond) + 200_000);

        ScheduleBacklog.Of(afterEnd, waits, RoundTrip).DurationNs.ShouldBe(0);
    }

    /// <summary>A pause at the very end delays the last answers, which the rate says; the schedule was kept.</summary>
    [Fact]
    public void Pause_AtTheEnd_IsInTheRate_AndIsNoFault()
    {
        var pause = (From: 1_970 * Millisecond, Until: 2_030 * Millisecond);
        var (afterEnd, waits) = Answers(
            2_000, i => i * Millisecond, i => i * Millisecond >= pause.From ? pause.Until : (i * Millisecond) + 200_000);

        var queue = ScheduleBacklog.Of(afterEnd, waits, RoundTrip);

        // Less what the quickest took, 0.2 ms.
        queue.DurationNs.ShouldBeInRange(29_700_000, 29_900_000);
        queue.Fault("run", Rates, 2 * Second).ShouldBeNull();
    }

    /// <summary>So does a pause at the end of a long way, which is no part of it.</summary>
    [Fact]
    public void Pause_AtTheEndOfALongWay_IsInTheRateWithoutTheWay()
    {
        var pause = (From: 2_470 * Millisecond, Until: 2_530 * Millisecond);
        long Seen(long at) => at >= pause.From ? Math.Max(at, pause.Until) : at;
        var (afterEnd, waits) = Answers(2_000, i => i * Millisecond, i => Seen((i + 500) * Millisecond));

        var queue = ScheduleBacklog.Of(afterEnd, waits, LongWay);

        queue.DurationNs.ShouldBeInRange(29 * Millisecond, 31 * Millisecond);
        queue.Fault("run", Rates, 2 * Second).ShouldBeNull();
    }

    /// <summary>And pauses all along a long way: half of all answers wait for them, none of them in a queue.</summary>
    [Fact]
    public void Pauses_AllAlongALongWay_AreNoQueueThatGrew()
    {
        static long Seen(long at) => at % (70 * Millisecond) is var into && into < 60 * Millisecond
            ? at - into + (60 * Millisecond) : at;
        var (afterEnd, waits) = Answers(2_000, i => i * Millisecond, i => Seen((i + 500) * Millisecond));

        var queue = ScheduleBacklog.Of(afterEnd, waits, LongWay);

        queue.DurationNs.ShouldBeInRange(9 * Millisecond, 11 * Millisecond);
    }

    /// <summary>A server that went away for the last tenth and more did not keep it, whoever paused.</summary>
    [Fact]
    public void Standstill_OfTheLastQuarter_IsAFault()
    {
        var (afterEnd, waits) = Answers(
            2_000, i => i * Millisecond, i => i >= 1_500 ? 2_400 * Millisecond : (i * Millisecond) + 200_000);

        ScheduleBacklog.Of(afterEnd, waits, RoundTrip).Fault("run", Rates, 2 * Second).ShouldNotBeNull();
    }

    private static (LatencyHistogram AfterEnd, LatencyHistogram Waits) Answers(
        int count, Func<int, long> due, Func<int, long> answered)
    {
        var (afterEnd, waits) = (LatencyHistogram.ForLatency(), LatencyHistogram.ForLatency());
        for (var i = 0; i < count; i++)
        {
            waits.Record(answered(i) - due(i));
            if (answered(i) > 2 * Second)
                afterEnd.Record(answered(i) - (2 * Second));
        }

        return (afterEnd, waits);
    }
}
