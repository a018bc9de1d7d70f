using RedisLatency.Hosting.Options;

namespace RedisLatency.Hosting.Tests.Options;

public sealed class SmallFileTests : IDisposable
{
    private readonly string _file = Path.GetTempFileName();

    public void Dispose() => File.Delete(_file);

    [Fact]
    public void FileWithoutAnEnd_IsRefused()
    {
        Assert.SkipUnless(File.Exists("/dev/zero"), "there is no /dev/zero here");

        Should.Throw<IOException>(() => SmallFile.Read("/dev/zero")).Message.ShouldContain("1,048,576 bytes");
    }

    [Fact]
    public void FileThatIsNoUtf8_IsRefused()
    {
        File.WriteAllBytes(_file, [.. "{\"name\": \""u8, 0xE4, .. "\"}"u8]);

        Should.Throw<IOException>(() => SmallFile.Read(_file)).Message.ShouldContain("UTF-8");
    }

    [Fact]
    public void FirstLine_IsReadWithoutMarkAndEnd()
    {
        File.WriteAllBytes(_file, "\uFEFFwörd\r\nmore"u8.ToArray());

        SmallFile.ReadFirstLine(_file).ShouldBe("wörd");
    }
}
