using RedisLatency.Containers.Servers;
using RedisLatency.Fixtures;

namespace RedisLatency.Containers.Deploy;

/// <summary>What is there of <c>deploy/Containerfile</c> once it is built, which takes minutes: a step of CI.</summary>
public abstract class ProductTest : ContainerTest
{
    private protected const string Image = "redis-latency";

    /// <summary>Leaves the test where nobody has built the image.</summary>
    private protected static Task RequireImage() =>
        Require(Image, $"docker build -f deploy/Containerfile -t {Image} .");

    /// <summary>Leaves the test where there is no such image, and says what makes it.</summary>
    private protected static async Task Require(string image, string command)
    {
        await using var look = ServiceProcess.StartScript("docker", "image", "inspect", image);
        if (await look.End() != 0)
            Leave($"There is no image {image}: {command}");
    }
}
