using RedisLatency.Messaging.Frames;
using static RedisLatency.Messaging.Tests.Sending.SenderTest;

namespace RedisLatency.Messaging.Tests.Sending;

/// <summary>Consumers that send back what they should not: none of it becomes a time.</summary>
public sealed class DishonestConsumerTests
{
    [Theory]
    [InlineData(0)]
    [InlineData(50_000)]
    public void Run_WhereAConsumerChangesTheProducersStamps_CountsThemAsWrongAndMeasuresNone(double rate)
    {
        using var sender = Run(Options with { Rate = rate }, 300, (lane, frame) =>
        {
            var sequence = SequenceOf(frame);
            FrameReader.Read(frame, out var header).ShouldBe(FrameDefect.None);
            var forged = new FrameBuffer(header.Run, header.Producer, header.Stream, 0);
            forged.Stamp(
                MessageKind.Message, FrameFlags.None, sequence,
                header.Intended + (sequence % 3 == 1 ? 1 : 0), header.Sent + (sequence % 3 == 2 ? 1 : 0));
            lane.Echo(forged.Bytes.ToArray());
        });

        sender.Counts.Returned.ShouldBe(100);
        sender.Counts.Wrong.ShouldBe(200);
        sender.FirstWrong.ShouldNotBeNull().Sent.ShouldStartWith("message 1 at ");
        Recorded(sender.Series.RoundTrip).TotalCount.ShouldBe(100);
        Recorded(sender.Series.Residence).TotalCount.ShouldBe(100);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Run_WhereAnAnswerCameBeforeItsQuestion_CountsItAsWrong(bool isCounter)
    {
        var sent = 0;
        using var sender = Run(Options with { Rate = 0, IsCounter = isCounter }, 10, (lane, payload) =>
        {
            lane.ReceivedAt = sent++ == 4 ? 1 : null;
            if (isCounter)
                lane.Reply(payload);
            else
                lane.Echo(payload);
        });

        (sender.Counts.Returned, sender.Counts.Wrong).ShouldBe((9, 1));
        var times = Recorded(sender.Series.RoundTrip);
        (times.TotalCount, times.BelowRange).ShouldBe((9, 0));
    }

    [Fact]
    public void Run_WhereEveryEchoIsSignedAnew_TellsFewConsumersApartAndCountsTheOthers()
    {
        using var sender = Run(
            Options, 300, (lane, frame) => lane.Echo(frame, instance: 1_000 + (ulong)SequenceOf(frame)));

        sender.Ledgers.Count.ShouldBe(16);
        (sender.Counts.Returned, sender.Counts.Foreign, sender.Counts.Unserved).ShouldBe((15, 285, 285));
    }
}
