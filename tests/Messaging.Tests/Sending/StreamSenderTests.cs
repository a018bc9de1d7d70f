using System.Text;
using RedisLatency.Messaging.Frames;
using RedisLatency.Messaging.Sending;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis;
using static RedisLatency.Messaging.Tests.Sending.SenderTest;

namespace RedisLatency.Messaging.Tests.Sending;

public sealed class StreamSenderTests
{
    [Theory]
    [InlineData(0)]
    [InlineData(50_000)]
    public void Run_OfAFaithfulConsumer_ReturnsEveryMessageOnce(double rate)
    {
        using var sender = Run(Options with { Rate = rate }, 1_000, (lane, frame) => lane.Echo(frame));

        sender.Counts.Sent.ShouldBe(1_000);
        sender.Counts.Returned.ShouldBe(1_000);
        sender.Counts.InFlight.ShouldBe(0);
        Recorded(sender.Series.RoundTrip).TotalCount.ShouldBe(1_000);
        Recorded(sender.Series.RoundTripFromIntended).TotalCount.ShouldBe(rate == 0 ? 0 : 1_000);
        Recorded(sender.Series.Lateness).TotalCount.ShouldBe(rate == 0 ? 0 : 1_000);
        var counts = sender.Ledgers.Single().Count(1_000);
        (counts.Lost, counts.Duplicated, counts.Reordered, counts.Late).ShouldBe((0, 0, 0, 0));
        (sender.Counts.LongestFromSent, sender.Counts.LongestFromIntended).ShouldBe((0, 0));
    }

    [Fact]
    public void Run_WhereEveryTenthEchoIsMissing_CountsExactlyThose()
    {
        using var sender = Run(Options, 1_000, (lane, frame) =>
        {
            if (SequenceOf(frame) % 10 != 3)
                lane.Echo(frame);
        });

        sender.Counts.Returned.ShouldBe(900);
        sender.Ledgers.Single().Count(sender.Counts.Sent).Lost.ShouldBe(100);
        sender.Counts.InFlight.ShouldBe(0);
        sender.Counts.LongestFromSent.ShouldBeGreaterThan(Options.ReceiveDeadlineNs, "so long was an echo waited for");
        sender.Counts.LongestFromIntended.ShouldBeGreaterThanOrEqualTo(sender.Counts.LongestFromSent);
    }

    [Fact]
    public void Run_WhereEchoesComeTwice_CountsTheSecondApart()
    {
        using var sender = Run(Options, 500, (lane, frame) =>
        {
            lane.Echo(frame);
            lane.Echo(frame);
        });

        sender.Counts.Returned.ShouldBe(500);
        sender.Counts.Duplicated.ShouldBe(500);
        Recorded(sender.Series.RoundTrip).TotalCount.ShouldBe(500);
    }

    [Fact]
    public void Run_WhereTwoConsumersAnswer_CountsTwoEchoesAndNoDuplicate()
    {
        using var sender = Run(Options, 500, (lane, frame) =>
        {
            lane.Echo(frame, instance: 5);
            lane.Echo(frame, instance: 9);
        }, 5, 9);

        sender.Counts.Returned.ShouldBe(1_000);
        sender.Counts.Duplicated.ShouldBe(0);
        sender.Ledgers.Select(ledger => ledger.Count(500).Lost).ShouldBe([0, 0]);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Run_WhereAnEchoOfOneOfTwoConsumersIsMissing_KnowsHowLongItWasWaitedFor(bool isExpected)
    {
        using var sender = Run(Options, 500, (lane, frame) =>
        {
            lane.Echo(frame, instance: 5);
            if (SequenceOf(frame) % 10 != 3)
                lane.Echo(frame, instance: 9);
        }, isExpected ? [5, 9] : [5]);

        sender.Ledgers.Sum(ledger => ledger.Count(500).Lost).ShouldBe(50);
        sender.Counts.LongestFromSent.ShouldBeGreaterThan(Options.ReceiveDeadlineNs);
        sender.Counts.LongestFromIntended.ShouldBeGreaterThanOrEqualTo(sender.Counts.LongestFromSent);
    }

    [Fact]
    public void Run_WhereAConsumerNobodyExpectedAnswersAll_WaitsForNothing()
    {
        using var sender = Run(Options, 500, (lane, frame) =>
        {
            lane.Echo(frame, instance: 5);
            if (SequenceOf(frame) >= 100)
                lane.Echo(frame, instance: 9);
        }, 5);

        sender.Counts.Returned.ShouldBe(900);
        (sender.Counts.LongestFromSent, sender.Counts.LongestFromIntended).ShouldBe((0, 0));
    }

    [Fact]
    public void Run_WhereNeighboursSwapPlaces_CountsThemAsReordered()
    {
        byte[]? held = null;
        using var sender = Run(Options, 1_000, (lane, frame) =>
        {
            if (SequenceOf(frame) % 2 == 0)
            {
                held = frame;
                return;
            }

            lane.Echo(frame);
            lane.Echo(held!);
        });

        sender.Counts.Returned.ShouldBe(1_000);
        sender.Counts.Reordered.ShouldBe(500);
    }

    [Fact]
    public void Run_WhereAnEchoComesAfterItsDeadline_CountsItAsLateNotLost()
    {
        byte[]? held = null;
        using var sender = Run(Options with { Rate = 1_000 }, 1_600, (lane, frame) =>
        {
            if (SequenceOf(frame) == 5)
                held = frame;
            else
                lane.Echo(frame);
            if (SequenceOf(frame) == 1_599)
                lane.Echo(held!);
        });

        sender.Counts.Late.ShouldBe(1);
        sender.Counts.Returned.ShouldBe(1_599);
        var counts = sender.Ledgers.Single().Count(1_600);
        (counts.Lost, counts.Late).ShouldBe((0, 1));
        Recorded(sender.Series.RoundTrip).Max.ShouldBeGreaterThan(500_000_000);
    }

    [Fact]
    public void Run_AmongDamagedAndForeignMessages_CountsEachAndMeasuresNone()
    {
        using var sender = Run(Options, 300, (lane, frame) =>
        {
            var sequence = SequenceOf(frame);
            if (sequence % 3 == 0)
            {
                lane.Echo(frame);
            }
            else if (sequence % 3 == 1)
            {
                frame[^1] ^= 1;
                lane.Reply(frame);
            }
            else
            {
                lane.Reply("somebody else"u8.ToArray());
            }
        });

        sender.Counts.Returned.ShouldBe(100);
        sender.Counts.Corrupted.ShouldBe(100);
        sender.Counts.Foreign.ShouldBe(100);
        sender.Ledgers.Single().Count(300).Lost.ShouldBe(200);
        Recorded(sender.Series.RoundTrip).TotalCount.ShouldBe(100);
    }

    [Fact]
    public void Run_WithCounts_NamesTheFirstWrongAnswer()
    {
        using var sender = Run(
            Options with { Rate = 0, IsCounter = true },
            10,
            (lane, payload) => lane.Reply(payload is [(byte)'4'] ? "wrong!"u8.ToArray() : payload));

        sender.Counts.Returned.ShouldBe(9);
        sender.Counts.Wrong.ShouldBe(1);
        sender.FirstWrong.ShouldBe(new WrongAnswer("4", "wrong!"));
        sender.Counts.Sent.ShouldBe(10);
    }

    [Fact]
    public void Run_WhereTheConnectionBreaks_ReconnectsAndCountsWhatWasNotSent()
    {
        var lanes = new List<ScriptedLane>();
        using var unsent = new ManualResetEventSlim();
        using var sender = new StreamSender(Options with { Rate = 1_000 }, () =>
        {
            // Down until messages were due meanwhile: five milliseconds are five of them.
            if (lanes.Count > 0)
                unsent.Wait(TimeSpan.FromMilliseconds(5));
            var lane = new ScriptedLane((self, frame) => self.Echo(frame));
            lanes.Add(lane);
            return lane;
        });
        sender.Connect();
        using var stop = new CancellationTokenSource();
        lanes[0].IsBroken = true;

        sender.Run(Phase(500), stop.Token);
        sender.Drain(CancellationToken.None);

        sender.Counts.ConnectionsLost.ShouldBe(1);
        lanes.Count.ShouldBe(2);
        sender.Counts.Asked.ShouldBe(500);
        sender.Counts.Unsent.ShouldBeGreaterThan(0);
        (sender.Counts.Returned + sender.Ledgers.Sum(ledger => ledger.Count(sender.Counts.Sent).Lost))
            .ShouldBe(sender.Counts.Sent);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1_000)]
    public void Run_WhereNothingIsAnsweredAnyMore_LastsUntilItsEndAndSaysSo(double rate)
    {
        using var sender = new StreamSender(Options with { Rate = rate }, () => new ScriptedLane((lane, frame) =>
        {
            if (frame[5] == (byte)MessageKind.Message && SequenceOf(frame) < 10)
                lane.Echo(frame);
        }));
        sender.Connect();
        var start = MonotonicClock.NowNs();

        sender.Run(FifthOfASecond(), CancellationToken.None);
        var inTime = MonotonicClock.NowNs();
        sender.Drain(CancellationToken.None);

        sender.PhaseEnd.ShouldBeInRange(start + 200_000_000, inTime);
        sender.InFlightAtEnd.ShouldBe(rate == 0 ? 1 : (int)sender.Counts.Sent - 10);
        sender.EndedUnanswered.ShouldBeTrue();
        sender.EndedDisconnected.ShouldBeFalse();
        sender.Owed.ShouldBe(sender.Counts.Sent);
    }

    // What had to be waited for in vain is one of many: a counter's last message was answered.
    [Theory]
    [InlineData(100, false)]
    [InlineData(199, true)]
    public void Run_WithCountsOfWhichOneIsMissing_EndedUnansweredOnlyWhereItWasTheLast(int missing, bool isUnanswered)
    {
        using var sender = Run(
            Options with { Rate = 1_000, IsCounter = true },
            200,
            (lane, payload) =>
            {
                if (Encoding.ASCII.GetString(payload) != $"{missing}")
                    lane.Reply(payload);
            });

        sender.Counts.Returned.ShouldBe(199);
        sender.EndedUnanswered.ShouldBe(isUnanswered);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1_000)]
    public void Run_WhoseConnectionDoesNotComeBack_LastsUntilItsEndAndSaysSo(double rate)
    {
        using var sender = new StreamSender(Options with { Rate = rate }, LaneThatBreaksForGood());
        sender.Connect();
        var start = MonotonicClock.NowNs();

        sender.Run(FifthOfASecond(), CancellationToken.None);

        sender.PhaseEnd.ShouldBeGreaterThanOrEqualTo(start + 200_000_000);
        sender.EndedDisconnected.ShouldBeTrue();
        sender.Counts.Asked.ShouldBe(rate == 0 ? 11 : 200);
    }

    [Theory]
    [InlineData(600_000L, null)]
    [InlineData(null, 600)]
    public void Run_WhoseConnectionIsGivenUp_CountsTheRestOfItsScheduleAsUnsent(long? messages, int? seconds)
    {
        using var sender = new StreamSender(
            Options with { Rate = 1_000, ReconnectLimit = TimeSpan.FromMilliseconds(50) }, LaneThatBreaksForGood());
        sender.Connect();
        TimeSpan? duration = seconds is { } known ? TimeSpan.FromSeconds(known) : null;

        Should.Throw<RedisException>(() => sender.Run(
            Phase(1) with { Limit = new StreamLimit(messages, duration) }, CancellationToken.None));

        sender.Counts.Asked.ShouldBe(600_000);
        // Where a message was due at once, the connection is found broken by sending it.
        sender.Counts.Sent.ShouldBeInRange(11, 1_000);
    }

    [Fact]
    public void Run_OfFewMessages_EndsWithItsSchedule()
    {
        var start = MonotonicClock.NowNs();
        using var sender = Run(Options with { Rate = 100 }, 1, (lane, frame) => lane.Echo(frame));

        // One message of a hundred a second is asked for over a hundredth of a second.
        sender.ScheduleEnd.ShouldBeGreaterThanOrEqualTo(start + 10_000_000);
        sender.EndedUnanswered.ShouldBeFalse();
    }

    [Fact]
    public void Run_WhereTheServerRefusesForTheTimeBeing_CountsAndGoesOn()
    {
        using var sender = Run(Options, 200, (lane, frame) =>
        {
            if (SequenceOf(frame) == 50)
                lane.Refusal = new RedisServerException("BUSY Redis is busy running a script.");
            else
                lane.Echo(frame);
        });

        sender.Counts.Refused.ShouldBe(1);
        sender.FirstRefusal.ShouldNotBeNull().ShouldStartWith("BUSY");
        sender.Counts.Returned.ShouldBe(199);
        sender.Ledgers.Single().Count(200).Lost.ShouldBe(1);
    }

    [Fact]
    public void Run_WhereTheServerRefusesForGood_Ends() =>
        Should.Throw<RedisServerException>(() => Run(Options, 200, (lane, frame) =>
            lane.Refusal = new RedisServerException("NOPERM this user has no permissions")));

    [Fact]
    public void Run_WithoutRoomInFlight_WaitsForItAndSaysSo_WithoutBeingLate()
    {
        using var sender = Run(
            Options with { Rate = 10_000, MaxInFlight = 10, ReceiveDeadline = TimeSpan.FromSeconds(10) },
            100,
            (lane, frame) =>
            {
                if (SequenceOf(frame) is >= 50 and < 60)
                    lane.EchoLater(frame, TimeSpan.FromMilliseconds(300));
                else
                    lane.Echo(frame);
            });

        // All that came after them had to wait for their echoes, which was no lateness of the sender's.
        Recorded(sender.Series.RoundTrip).TotalCount.ShouldBe(100);
        Recorded(sender.Series.RoundTripFromIntended).ValueAtPercentile(75).ShouldBeGreaterThan(290_000_000);
        Recorded(sender.Series.Lateness).ValueAtPercentile(75).ShouldBeLessThan(290_000_000);
        sender.Counts.LimitHits.ShouldBeGreaterThanOrEqualTo(40);
        sender.Counts.Returned.ShouldBe(100);
        sender.Counts.Unsent.ShouldBe(0);
    }

    [Fact]
    public void Run_OfAWarmUp_IsNotMeasuredLater()
    {
        using var sender = new StreamSender(Options, () => new ScriptedLane((lane, frame) => lane.Echo(frame)));
        sender.Connect();
        sender.Run(Phase(200) with { IsWarmUp = true }, CancellationToken.None);
        sender.Run(Phase(300), CancellationToken.None);
        sender.Drain(CancellationToken.None);

        sender.Counts.Returned.ShouldBe(300);
        Recorded(sender.Series.RoundTrip).TotalCount.ShouldBe(300);
    }
}
