using RedisLatency.Messaging.Frames;

namespace RedisLatency.Messaging.Echoing;

public sealed class ServedStreamsTests
{
    [Fact]
    public void ManyProducers_AreForgottenOldestFirst_AndThoseAtWorkAreKept()
    {
        var streams = new ServedStreams();
        var faithful = streams.Of(Header(producer: 1));
        for (var producer = 2UL; producer < 60_002; producer++)
        {
            streams.Of(Header(producer));
            streams.Of(Header(producer: 1)).ShouldBeSameAs(faithful);
        }

        var kept = streams.Snapshot();
        kept.Count.ShouldBe(ServedStreams.MostKept);
        kept[0].ShouldBeSameAs(faithful);
        kept[1].Producer.ShouldBe(60_002UL - ServedStreams.MostKept + 1);
        kept[^1].Producer.ShouldBe(60_001UL);
        streams.Forgotten.ShouldBe(60_001 - ServedStreams.MostKept);
    }

    [Fact]
    public void StreamsThatHaveEnded_AreForgottenBeforeOthers()
    {
        var streams = new ServedStreams();
        for (var producer = 1UL; producer <= ServedStreams.MostKept; producer++)
        {
            var stream = streams.Of(Header(producer));
            if (producer is 500 or 501)
                stream.Take(Header(producer, MessageKind.End), received: 0);
        }

        streams.Of(Header(2_000));
        streams.Of(Header(2_001));
        streams.Of(Header(2_002));

        var left = streams.Snapshot().Select(stream => stream.Producer).ToList();
        left.ShouldNotContain(500UL);
        left.ShouldNotContain(501UL);
        left[0].ShouldBe(2UL);
    }

    private static FrameHeader Header(ulong producer, MessageKind kind = MessageKind.Message) => new()
    {
        Run = 1,
        Producer = producer,
        Stream = 0,
        Kind = kind,
        Flags = FrameFlags.None,
        Sequence = 0,
        Intended = 0,
        Sent = 0,
        Received = 0,
        Echoed = 0,
        EchoInstance = 0,
    };
}
