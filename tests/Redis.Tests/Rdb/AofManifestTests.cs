using System.Text;
using RedisLatency.Redis.Rdb;

namespace RedisLatency.Redis.Tests.Rdb;

public sealed class AofManifestTests
{
    [Theory]
    [InlineData("file a.base.rdb seq 1 type b\nfile a.1 seq 1 type i\nfile a.2 seq 2 type i\n", "a.base.rdb a.1 a.2")]
    [InlineData("file h seq 1 type h\nfile i seq 3 type i\nfile b seq 2 type b\n", "b i")]
    [InlineData("# made by hand\r\n\r\nfile \"with blank\" seq 1 type i startoffset 7\r\n", "with blank")]
    [InlineData("", "")]
    public void Manifest_NamesItsFilesInOrder(string text, string files) =>
        string.Join(' ', AofManifest.Parse(Encoding.UTF8.GetBytes(text)).Names).ShouldBe(files);

    [Theory]
    [InlineData("file a seq 1 type b\nfile b seq 2 type b\n", 20)]
    [InlineData("file a seq 2 type i\nfile b seq 1 type i\n", 20)]
    [InlineData("file ../a seq 1 type i\n", 0)]
    [InlineData("file a seq x type i\n", 0)]
    [InlineData("file a seq 1 type x\n", 0)]
    [InlineData("file a seq 1\n", 0)]
    [InlineData("file a seq 1 type\n", 0)]
    [InlineData("file \"a seq 1 type i\n", 0)]
    [InlineData("*1\r\n$1\r\na\r\n", 0)]
    public void Manifest_ThatIsDamaged_NamesTheLinesOffset(string text, int offset) =>
        Should.Throw<RdbException>(() => AofManifest.Parse(Encoding.UTF8.GetBytes(text))).Offset.ShouldBe(offset);

    [Fact]
    public void Manifest_DamagedAtRandom_GivesNamesOrAnRdbException()
    {
        var random = new Random(11);
        var whole = "file a.base.rdb seq 1 type b\nfile \"a \\x31\" seq 1 type i\n"u8;
        for (var round = 0; round < 5000; round++)
        {
            var bytes = whole.ToArray();
            for (var i = random.Next(1, 4); i > 0; i--)
                bytes[random.Next(bytes.Length)] = (byte)random.Next(256);
            try
            {
                AofManifest.Parse(bytes);
            }
            catch (RdbException)
            {
            }
        }
    }
}
