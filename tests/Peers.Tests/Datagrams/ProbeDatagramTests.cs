using RedisLatency.Metrics.HostClocks;
using RedisLatency.Peers.Datagrams;

namespace RedisLatency.Peers.Tests.Datagrams;

public sealed class ProbeDatagramTests
{
    [Fact]
    public void Question_ComesBackAsAnAnswerOfTheSameLengthWithEveryField()
    {
        var datagram = SampleProbes.Question(42);
        var status = new ClockStatus(1, 2, 3, 4.5, 6);

        ProbeDatagram.WriteAnswer(datagram, receivedNs: 100, status);
        ProbeDatagram.StampEchoed(datagram, echoedNs: 200);
        SampleProbes.Seal(datagram, SampleProbes.Key);

        datagram.Length.ShouldBe(ProbeDatagram.Length);
        ProbeDatagram.Read(datagram, SampleProbes.Run, out var fields).ShouldBe(DatagramDefect.None);
        fields.Kind.ShouldBe(ProbeKind.Answer);
        fields.Asker.ShouldBe(SampleProbes.Asker);
        fields.Answerer.ShouldBe(SampleProbes.Answerer);
        fields.Sequence.ShouldBe(42);
        ProbeDatagram.ReceivedNs(datagram).ShouldBe(100);
        ProbeDatagram.EchoedNs(datagram).ShouldBe(200);
        ProbeDatagram.StatusOf(datagram).ShouldBe(status);
    }

    [Fact]
    public void AnyOtherLength_IsRefusedBeforeAnythingIsRead()
    {
        var longer = new byte[2_000];
        SampleProbes.Question(1).CopyTo(longer, 0);

        for (var length = 0; length <= longer.Length; length++)
        {
            var expected = length == ProbeDatagram.Length ? DatagramDefect.None : DatagramDefect.WrongSize;
            ProbeDatagram.Read(longer.AsSpan(0, length), SampleProbes.Run, out _).ShouldBe(expected);
        }
    }

    [Fact]
    public void AnyChangedBit_BreaksTheSealOrTheForm()
    {
        using var seal = new DatagramSeal(SampleProbes.Key);
        var datagram = SampleProbes.Question(1);
        seal.IsIntact(datagram).ShouldBeTrue();

        for (var bit = 0; bit < datagram.Length * 8; bit++)
        {
            datagram[bit / 8] ^= (byte)(1 << (bit % 8));
            seal.IsIntact(datagram).ShouldBeFalse($"bit {bit}");
            datagram[bit / 8] ^= (byte)(1 << (bit % 8));
        }
    }

    [Fact]
    public void OtherRunsVersionsAndProtocols_AreToldApart()
    {
        var version = SampleProbes.Question(1);
        version[4]++;
        var protocol = SampleProbes.Question(1);
        protocol[0]++;

        ProbeDatagram.Read(version, SampleProbes.Run, out _).ShouldBe(DatagramDefect.OtherVersion);
        ProbeDatagram.Read(protocol, SampleProbes.Run, out _).ShouldBe(DatagramDefect.Foreign);
        ProbeDatagram.Read(SampleProbes.Question(1), SampleProbes.Run + 1, out _).ShouldBe(DatagramDefect.Foreign);
    }
}
