using RedisLatency.Metrics.Clocks;
using RedisLatency.Peers.Datagrams;
using RedisLatency.Peers.Probing;

namespace RedisLatency.Peers.Tests.Probing;

public sealed class ProbeAnswersTests
{
    [Fact]
    public void Question_WithTheKey_IsAnsweredWithStampsAroundIt()
    {
        using var desk = new ProbeAnswers(SampleProbes.Answering());
        using var seal = new DatagramSeal(SampleProbes.Key);
        var datagram = SampleProbes.Question(1);
        var received = MonotonicClock.NowNs();

        desk.TryAnswer(datagram, received).ShouldBeTrue();

        seal.IsIntact(datagram).ShouldBeTrue();
        ProbeDatagram.ReceivedNs(datagram).ShouldBe(received);
        ProbeDatagram.EchoedNs(datagram).ShouldBeInRange(received, MonotonicClock.NowNs());
        ProbeDatagram.StatusOf(datagram).SampledAtNs.ShouldBe(5);
    }

    [Fact]
    public void Everything_ThatIsNotAnAuthenticQuestion_IsCountedAndNotAnswered()
    {
        using var desk = new ProbeAnswers(SampleProbes.Answering());
        var otherVersion = SampleProbes.Question(1);
        otherVersion[4]++;
        var answer = SampleProbes.Question(1);
        answer[5] = (byte)ProbeKind.Answer;
        SampleProbes.Seal(answer, SampleProbes.Key);
        var changed = SampleProbes.Question(1);
        changed[40] ^= 1;

        foreach (var datagram in (byte[][])
        [
            [], SampleProbes.Question(1)[..^1], [.. SampleProbes.Question(1), 0], otherVersion, answer, changed,
            new byte[ProbeDatagram.Length], SampleProbes.Question(1, run: SampleProbes.Run + 1),
            SampleProbes.Question(1, key: new ProbeSecret().KeyOf(SampleProbes.Run)), SampleProbes.Question(1, answerer: 99),
        ])
        {
            desk.TryAnswer(datagram, MonotonicClock.NowNs()).ShouldBeFalse();
        }

        desk.Counts.WrongSize.ShouldBe(3);
        desk.Counts.OtherVersion.ShouldBe(1);
        desk.Counts.Foreign.ShouldBe(3);
        desk.Counts.Unauthenticated.ShouldBe(2);
        desk.Counts.ForAnother.ShouldBe(1);
    }

    [Fact]
    public void ReplayedQuestions_AreNotAnsweredAndDoNotUseUpTheirAskersShare()
    {
        using var desk = new ProbeAnswers(SampleProbes.Answering(ratePerAsker: 8));
        var question = SampleProbes.Question(1);
        var now = MonotonicClock.NowNs();
        desk.TryAnswer([.. question], now).ShouldBeTrue();

        for (var i = 0; i < 100; i++)
            desk.TryAnswer([.. question], now).ShouldBeFalse();

        desk.TryAnswer(SampleProbes.Question(2), now).ShouldBeTrue();
        desk.Counts.Repeated.ShouldBe(100);
        desk.Counts.OverRate.ShouldBe(0);
    }

    [Fact]
    public void AskerOverItsRate_DoesNotStarveAnother()
    {
        using var desk = new ProbeAnswers(SampleProbes.Answering(rate: 400, ratePerAsker: 40));
        var now = MonotonicClock.NowNs();

        var greedy = Enumerable.Range(1, 1_000).Count(i => desk.TryAnswer(SampleProbes.Question(i, asker: 1), now));
        var modest = Enumerable.Range(1, 10).Count(i => desk.TryAnswer(SampleProbes.Question(i, asker: 2), now));

        greedy.ShouldBe(10);
        modest.ShouldBe(10);
        desk.Counts.OverRate.ShouldBe(990);
    }

    [Fact]
    public void AllAskersTogether_AreHeldToTheCommonRate()
    {
        using var desk = new ProbeAnswers(SampleProbes.Answering(rate: 40, ratePerAsker: 40));
        var now = MonotonicClock.NowNs();

        var answered = Enumerable.Range(1, 10).Sum(asker => Enumerable.Range(1, 10)
            .Count(i => desk.TryAnswer(SampleProbes.Question(i, asker: (ulong)asker), now)));

        answered.ShouldBe(10);
    }

    [Fact]
    public void MoreAskersThanPlaces_WaitUntilOneFallsSilent()
    {
        using var desk = new ProbeAnswers(SampleProbes.Answering(mostAskers: 2));
        var now = MonotonicClock.NowNs();
        desk.TryAnswer(SampleProbes.Question(1, asker: 1), now).ShouldBeTrue();
        desk.TryAnswer(SampleProbes.Question(1, asker: 2), now).ShouldBeTrue();

        desk.TryAnswer(SampleProbes.Question(1, asker: 3), now).ShouldBeFalse();
        desk.TryAnswer(SampleProbes.Question(2, asker: 2), now + 9_000_000_000).ShouldBeTrue();
        desk.TryAnswer(SampleProbes.Question(2, asker: 3), now + 11_000_000_000).ShouldBeTrue();

        desk.TryAnswer(SampleProbes.Question(3, asker: 2), now + 11_000_000_000).ShouldBeTrue();
        desk.Counts.OverRate.ShouldBe(1);
    }

    [Fact]
    public void NothingIsAllocated_ForAnswersNorForGarbage()
    {
        using var desk = new ProbeAnswers(SampleProbes.Answering());
        var questions = Enumerable.Range(1, 400).Select(i => SampleProbes.Question(i)).ToArray();
        var garbage = SampleProbes.Question(1, key: new ProbeSecret().KeyOf(1));
        for (var i = 0; i < 200; i++)
            Answer(i);

        var before = GC.GetAllocatedBytesForCurrentThread();
        for (var i = 200; i < 400; i++)
            Answer(i);

        (GC.GetAllocatedBytesForCurrentThread() - before).ShouldBe(0);
        desk.Counts.Answered.ShouldBe(0);
        desk.Counts.Unauthenticated.ShouldBe(400);
        desk.Counts.Refused.ShouldBe(400);

        void Answer(int i)
        {
            desk.TryAnswer(questions[i], i);
            desk.TryAnswer(garbage, i);
        }
    }
}
