// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <errno.h>
#include <linux/videodev2.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>

// Swift can neither call ioctl, which is variadic, nor import its requests, which are macros with
// arguments: one function per request. Each returns 0, or the number of the system's error.

static inline int cvideo_request(int device, unsigned long request, void *argument) {
  int result;
  do result = ioctl(device, request, argument);
  while (result < 0 && errno == EINTR);
  return result < 0 ? errno : 0;
}

/// What the opened node can do: V4L2_CAP_….
static inline int cvideo_capabilities(int device, uint32_t *capabilities) {
  struct v4l2_capability answer;
  memset(&answer, 0, sizeof answer);
  int error = cvideo_request(device, VIDIOC_QUERYCAP, &answer);
  *capabilities =
      answer.capabilities & V4L2_CAP_DEVICE_CAPS ? answer.device_caps : answer.capabilities;
  return error;
}

/// The pixel format with an index; EINVAL behind the last.
static inline int cvideo_pixel_format(int device, uint32_t index, uint32_t *format) {
  struct v4l2_fmtdesc answer;
  memset(&answer, 0, sizeof answer);
  answer.index = index;
  answer.type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
  int error = cvideo_request(device, VIDIOC_ENUM_FMT, &answer);
  *format = answer.pixelformat;
  return error;
}

/// One size, or a range of them.
struct cvideo_sizes {
  int is_discrete;
  uint32_t least_width, most_width, step_width;
  uint32_t least_height, most_height, step_height;
};

/// The sizes with an index of a pixel format; EINVAL behind the last, ENOTTY where the driver lists
/// none.
static inline int cvideo_frame_sizes(
    int device, uint32_t format, uint32_t index, struct cvideo_sizes *sizes) {
  struct v4l2_frmsizeenum answer;
  memset(&answer, 0, sizeof answer);
  answer.index = index;
  answer.pixel_format = format;
  int error = cvideo_request(device, VIDIOC_ENUM_FRAMESIZES, &answer);
  memset(sizes, 0, sizeof *sizes);
  if (error) return error;
  sizes->is_discrete = answer.type == V4L2_FRMSIZE_TYPE_DISCRETE;
  if (sizes->is_discrete) {
    sizes->least_width = sizes->most_width = answer.discrete.width;
    sizes->least_height = sizes->most_height = answer.discrete.height;
    sizes->step_width = sizes->step_height = 1;
  } else {
    sizes->least_width = answer.stepwise.min_width;
    sizes->most_width = answer.stepwise.max_width;
    sizes->step_width = answer.stepwise.step_width;
    sizes->least_height = answer.stepwise.min_height;
    sizes->most_height = answer.stepwise.max_height;
    sizes->step_height = answer.stepwise.step_height;
  }
  return 0;
}

/// The time from frame to frame, in seconds: one, or the shortest and the longest of a range.
struct cvideo_intervals {
  int is_discrete;
  struct v4l2_fract shortest, longest;
};

/// The intervals with an index of a size; EINVAL behind the last, ENOTTY where the driver lists
/// none.
static inline int cvideo_frame_intervals(
    int device, uint32_t format, uint32_t width, uint32_t height, uint32_t index,
    struct cvideo_intervals *intervals) {
  struct v4l2_frmivalenum answer;
  memset(&answer, 0, sizeof answer);
  answer.index = index;
  answer.pixel_format = format;
  answer.width = width;
  answer.height = height;
  int error = cvideo_request(device, VIDIOC_ENUM_FRAMEINTERVALS, &answer);
  memset(intervals, 0, sizeof *intervals);
  if (error) return error;
  intervals->is_discrete = answer.type == V4L2_FRMIVAL_TYPE_DISCRETE;
  intervals->shortest = intervals->is_discrete ? answer.discrete : answer.stepwise.min;
  intervals->longest = intervals->is_discrete ? answer.discrete : answer.stepwise.max;
  return 0;
}

/// What the frames are like.
struct cvideo_format {
  uint32_t pixel_format, width, height;
  uint32_t field, bytes_per_line, bytes, colorspace, quantization;
};

/// Wants a pixel format and a size, and says what the driver has made of them.
static inline int cvideo_set_format(int device, struct cvideo_format *format) {
  struct v4l2_format wanted;
  memset(&wanted, 0, sizeof wanted);
  wanted.type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
  wanted.fmt.pix.pixelformat = format->pixel_format;
  wanted.fmt.pix.width = format->width;
  wanted.fmt.pix.height = format->height;
  wanted.fmt.pix.field = V4L2_FIELD_NONE;
  int error = cvideo_request(device, VIDIOC_S_FMT, &wanted);
  if (error) return error;
  format->pixel_format = wanted.fmt.pix.pixelformat;
  format->width = wanted.fmt.pix.width;
  format->height = wanted.fmt.pix.height;
  format->field = wanted.fmt.pix.field;
  format->bytes_per_line = wanted.fmt.pix.bytesperline;
  format->bytes = wanted.fmt.pix.sizeimage;
  format->colorspace = wanted.fmt.pix.colorspace;
  // Drivers that do not know of the later members leave the mark of them away.
  format->quantization = wanted.fmt.pix.priv == V4L2_PIX_FMT_PRIV_MAGIC
                             ? wanted.fmt.pix.quantization
                             : V4L2_QUANTIZATION_DEFAULT;
  return 0;
}

/// Wants a time from frame to frame; drivers take the nearest that they have.
static inline int cvideo_set_interval(int device, struct v4l2_fract interval) {
  struct v4l2_streamparm wanted;
  memset(&wanted, 0, sizeof wanted);
  wanted.type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
  wanted.parm.capture.timeperframe = interval;
  return cvideo_request(device, VIDIOC_S_PARM, &wanted);
}

/// Wants a number of mapped buffers, and says how many there are.
static inline int cvideo_request_buffers(int device, uint32_t *count) {
  struct v4l2_requestbuffers wanted;
  memset(&wanted, 0, sizeof wanted);
  wanted.count = *count;
  wanted.type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
  wanted.memory = V4L2_MEMORY_MMAP;
  int error = cvideo_request(device, VIDIOC_REQBUFS, &wanted);
  *count = error ? 0 : wanted.count;
  return error;
}

/// Where a buffer is to be mapped from, and its size.
static inline int cvideo_query_buffer(
    int device, uint32_t index, uint32_t *offset, uint32_t *length) {
  struct v4l2_buffer buffer;
  memset(&buffer, 0, sizeof buffer);
  buffer.index = index;
  buffer.type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
  buffer.memory = V4L2_MEMORY_MMAP;
  int error = cvideo_request(device, VIDIOC_QUERYBUF, &buffer);
  *offset = buffer.m.offset;
  *length = buffer.length;
  return error;
}

/// Gives a buffer to the driver.
static inline int cvideo_queue(int device, uint32_t index) {
  struct v4l2_buffer buffer;
  memset(&buffer, 0, sizeof buffer);
  buffer.index = index;
  buffer.type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
  buffer.memory = V4L2_MEMORY_MMAP;
  return cvideo_request(device, VIDIOC_QBUF, &buffer);
}

/// A buffer that the driver has filled.
struct cvideo_filled {
  uint32_t index, bytes;
  int is_damaged;
  /// Whether the time is that of CLOCK_MONOTONIC.
  int is_monotonic;
  int64_t seconds, microseconds;
};

/// Takes a filled buffer; EAGAIN when none is.
static inline int cvideo_dequeue(int device, struct cvideo_filled *filled) {
  struct v4l2_buffer buffer;
  memset(&buffer, 0, sizeof buffer);
  buffer.type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
  buffer.memory = V4L2_MEMORY_MMAP;
  int error = cvideo_request(device, VIDIOC_DQBUF, &buffer);
  filled->index = buffer.index;
  filled->bytes = buffer.bytesused;
  filled->is_damaged = (buffer.flags & V4L2_BUF_FLAG_ERROR) != 0;
  filled->is_monotonic =
      (buffer.flags & V4L2_BUF_FLAG_TIMESTAMP_MASK) == V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC;
  filled->seconds = buffer.timestamp.tv_sec;
  filled->microseconds = buffer.timestamp.tv_usec;
  return error;
}

/// Starts and ends the filling of buffers; the end takes all of them back from the driver.
static inline int cvideo_start(int device) {
  int type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
  return cvideo_request(device, VIDIOC_STREAMON, &type);
}

static inline int cvideo_stop(int device) {
  int type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
  return cvideo_request(device, VIDIOC_STREAMOFF, &type);
}
