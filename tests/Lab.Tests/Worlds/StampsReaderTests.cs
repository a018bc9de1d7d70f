using RedisLatency.Lab.Worlds;

namespace RedisLatency.Lab.Tests.Worlds;

public class StampsReaderTests
{
    private const string Heads = "stream,consumer,sequence,intended,sent,received,echoed,returned";

    [Fact]
    public void Read_OfTwoMessages_HasTheirStamps()
    {
        using var file = new ScratchFile(Heads, "0,9,0,1,2,-3,4,5", "0,9,1,11,12,13,14,15");

        StampsReader.Read(file.FullPath)
            .ShouldBe([new StampedMessage(1, 2, -3, 4, 5), new StampedMessage(11, 12, 13, 14, 15)]);
    }

    [Fact]
    public void Read_OfNoMessages_IsEmpty()
    {
        using var file = new ScratchFile(Heads);

        StampsReader.Read(file.FullPath).ShouldBeEmpty();
    }

    [Theory]
    [InlineData("stream,consumer,sequence,intended,sent,received,echoed", "0,9,0,1,2,3,4")]
    [InlineData(Heads, "0,9,0,1,2,3,4")]
    [InlineData(Heads, "0,9,0,1,2,3,4,soon")]
    [InlineData("", "")]
    public void Read_OfWhatIsNone_SaysWhere(string heads, string line)
    {
        using var file = new ScratchFile(heads, line);

        Should.Throw<InvalidDataException>(() => StampsReader.Read(file.FullPath)).Message.ShouldContain(file.FullPath);
    }
}
